// All-to-all: every PE sends a fixed number of bytes in items to random PEs, as in section 5 of the
// conveyors paper. The receiver looks at every byte, and does nothing else.
#include "alltoall.hpp"

#include <cstdint>
#include <vector>

#include "job.hpp"
#include "one_way_benchmark.hpp"
#include "padded_item.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

// Two sums that tell whether items are those that were sent.
struct tally {
  std::uint64_t sum = 0;
  std::uint64_t product_sum = 0;  // of each item with the PE that it is for

  friend tally operator+(const tally& a, const tally& b) {
    return {a.sum + b.sum, a.product_sum + b.product_sum};
  }
  friend tally operator*(std::uint64_t times, const tally& t) {
    return {times * t.sum, times * t.product_sum};
  }
  friend bool operator==(const tally&, const tally&) = default;
};

template <std::size_t ItemBytes>
class alltoall_job final : public one_way<alltoall_job<ItemBytes>, padded_item<ItemBytes>> {
  using item = padded_item<ItemBytes>;

 public:
  alltoall_job(const world& w, const setting& s)
      : rank_(static_cast<std::uint64_t>(w.rank())), destinations_(s.items) {
    const auto pes = static_cast<std::uint64_t>(w.size());
    for (std::uint64_t i = 0; i < s.items; ++i) {
      const std::uint64_t random = examples::mix(rank_ * s.items + i);
      destinations_[i] = static_cast<std::int32_t>((random >> 32) * pes >> 32);
    }
  }

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
    return (rank_ << 40 ^ i) + 1;  // none is 0: that would not be missed
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

}  // namespace

std::unique_ptr<benchmark> make_alltoall(world& w, const setting& s) {
  return with_item_size(s.item_bytes, [&]<std::size_t Bytes>(size_constant<Bytes>) {
    return make_one_way<alltoall_job<Bytes>>(w, s);
  });
}

}  // namespace boxcar::bench
