// A job whose items go to a list of PEs. The receiver reads every byte, and does nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <boxcar/world.hpp>

#include "job.hpp"
#include "padded_item.hpp"

namespace boxcar::bench {

// Two sums to verify that the received items are the sent items.
struct tally {
  std::uint64_t sum = 0;
  std::uint64_t product_sum = 0;  // of each item times its destination PE

  friend tally operator+(const tally& a, const tally& b) {
    return {a.sum + b.sum, a.product_sum + b.product_sum};
  }
  friend tally operator*(std::uint64_t times, const tally& t) {
    return {times * t.sum, times * t.product_sum};
  }
  friend bool operator==(const tally&, const tally&) = default;
};

template <std::size_t ItemBytes>
class summed_items : public one_way<summed_items<ItemBytes>, padded_item<ItemBytes>> {
  using item = padded_item<ItemBytes>;

 public:
  summed_items(const world& w, std::vector<std::int32_t> destinations)
      : rank_(static_cast<std::uint64_t>(w.rank())), destinations_(std::move(destinations)) {}

  [[nodiscard]] std::uint64_t items() const override { return destinations_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const { return destinations_[i]; }
  [[nodiscard]] item at(std::uint64_t i) const { return item(number_of(i)); }
  void apply(const item& arrived) { sum_ += arrived.sum(); }

  void clear() override { sum_ = 0; }

  void check(world& w, std::uint64_t sessions) const override {
    const tally sent = w.reduce(sent_here());
    const tally received = w.reduce(tally{sum_, sum_ * (rank_ + 1)});
    require(sessions * sent == received, "the items that arrived are not those that were sent");
  }
  void check_alone(std::uint64_t sessions) const override {
    require(sessions * sent_here().sum == sum_,
            "the items that arrived are not those that were sent");
  }

 private:
  [[nodiscard]] std::uint64_t number_of(std::uint64_t i) const {
    return (rank_ << 40 ^ i) + 1;  // never 0: the loss of a 0 would go unnoticed
  }
  [[nodiscard]] tally sent_here() const {
    tally all;
    for (std::uint64_t i = 0; i < items(); ++i) {
      const std::uint64_t sum = item::sum_of(number_of(i));
      all = all + tally{sum, sum * (static_cast<std::uint64_t>(destination(i)) + 1)};
    }
    return all;
  }

  std::uint64_t rank_;
  std::vector<std::int32_t> destinations_;
  std::uint64_t sum_ = 0;
};

}  // namespace boxcar::bench
