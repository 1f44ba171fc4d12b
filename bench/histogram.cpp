// Histogram: a table is distributed over all PEs, and every PE has a list of random slots of the
// whole table. Each slot travels to its owner PE, and the owner counts the slot.
//
// As in the histogram benchmark of bale, the list holds for each slot the PE and the index, packed
// into one number, so that no division is measured.
#include "histogram.hpp"

#include <vector>

#include "job.hpp"
#include "one_way_benchmark.hpp"
#include "padded_item.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

template <std::size_t ItemBytes>
class histogram_job final : public one_way<histogram_job<ItemBytes>, padded_item<ItemBytes>>,
                            public table_job {
 public:
  histogram_job(const world& w, const setting& s)
      : pes_(static_cast<std::uint64_t>(w.size())),
        rank_(static_cast<std::uint64_t>(w.rank())),
        table_(s.table_bytes / sizeof(std::uint64_t)),
        packed_(s.items) {
    const std::uint64_t first = rank_ * s.items;
    for (std::uint64_t i = 0; i < s.items; ++i) {
      const std::uint64_t random = examples::mix(first + i);
      const std::uint64_t pe = (random >> 32) * pes_ >> 32;
      const std::uint64_t place = (random & 0xffffffff) * table_.size() >> 32;
      packed_[i] = place << pe_bits | pe;
    }
  }

  [[nodiscard]] std::uint64_t items() const override { return packed_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const {
    return static_cast<int>(packed_[i] & pe_mask);
  }
  [[nodiscard]] padded_item<ItemBytes> at(std::uint64_t i) const {
    return padded_item<ItemBytes>(packed_[i] >> pe_bits);
  }
  void apply(const padded_item<ItemBytes>& arrived) { ++table_[arrived.number()]; }

  void clear() override { std::ranges::fill(table_, 0); }

  table_job* as_table() override { return this; }
  [[nodiscard]] access kind() const override { return access::add_one; }
  [[nodiscard]] std::span<std::uint64_t> table() override { return table_; }
  [[nodiscard]] target target_of(std::uint64_t i) const override {
    return {destination(i), packed_[i] >> pe_bits};
  }

  // The check compares sums of mixed numbers, without a second table: an item that is lost, counted
  // twice or in another slot changes the sum.
  void check(world& w, std::uint64_t sessions) const override {
    std::uint64_t sent = 0;
    for (const std::uint64_t p : packed_) sent += identity_of(p >> pe_bits, p & pe_mask);
    require(w.reduce(sent) * sessions == w.reduce(counted(rank_)),
            "the counts are not those of the items");
  }
  void check_alone(std::uint64_t sessions) const override {
    std::uint64_t sent = 0;
    for (const std::uint64_t p : packed_) sent += identity_of(p >> pe_bits, 0);
    require(sent * sessions == counted(0), "the counts are not those of the items");
  }

 private:
  static constexpr int pe_bits = 16;
  static constexpr std::uint64_t pe_mask = (std::uint64_t{1} << pe_bits) - 1;

  [[nodiscard]] std::uint64_t identity_of(std::uint64_t place, std::uint64_t pe) const {
    return examples::mix(place * pes_ + pe);
  }
  [[nodiscard]] std::uint64_t counted(std::uint64_t pe) const {
    std::uint64_t sum = 0;
    for (std::uint64_t place = 0; place < table_.size(); ++place) {
      sum += table_[place] * identity_of(place, pe);
    }
    return sum;
  }

  std::uint64_t pes_;
  std::uint64_t rank_;
  std::vector<std::uint64_t> table_;
  std::vector<std::uint64_t> packed_;
};

}  // namespace

std::unique_ptr<benchmark> make_histogram(world& w, const setting& s) {
  return with_item_size(s.item_bytes, [&]<std::size_t Bytes>(size_constant<Bytes>) {
    return make_one_way<histogram_job<Bytes>>(w, s);
  });
}

}  // namespace boxcar::bench
