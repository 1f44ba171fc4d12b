// Permute: an array is distributed over all PEs in blocks, and every element goes to its place in a
// random permutation of the whole array.
#include "permute.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "job.hpp"
#include "one_way_benchmark.hpp"
#include "random_permutation.hpp"

namespace boxcar::bench {
namespace {

struct placed {
  std::uint64_t place;  // offset in the block of the destination PE
  std::uint64_t value;
};

class permute_job final : public one_way<permute_job, placed>, public table_job {
 public:
  permute_job(const world& w, const setting& s)
      : first_(static_cast<std::uint64_t>(w.rank()) * s.items),
        permutation_(static_cast<std::uint64_t>(w.size()) * s.items),
        goals_(s.items),
        block_(s.items) {
    for (std::uint64_t i = 0; i < s.items; ++i) {
      const std::uint64_t goal = permutation_(first_ + i);
      goals_[i] = goal % s.items << pe_bits | goal / s.items;
    }
  }

  [[nodiscard]] std::uint64_t items() const override { return goals_.size(); }
  [[nodiscard]] int destination(std::uint64_t i) const {
    return static_cast<int>(goals_[i] & pe_mask);
  }
  // The value of an element is its index.
  [[nodiscard]] placed at(std::uint64_t i) const { return {goals_[i] >> pe_bits, first_ + i}; }
  void apply(const placed& arrived) { block_[arrived.place] = arrived.value; }

  void clear() override { std::ranges::fill(block_, nothing); }
  [[nodiscard]] bool can_repeat() const override { return false; }

  table_job* as_table() override { return this; }
  [[nodiscard]] access kind() const override { return access::store; }
  [[nodiscard]] std::span<std::uint64_t> table() override { return block_; }
  [[nodiscard]] target target_of(std::uint64_t i) const override {
    return {destination(i), at(i).place};
  }
  [[nodiscard]] std::uint64_t value_of(std::uint64_t i) const override { return first_ + i; }

  // The right result is unique. After the first full check a comparison is enough.
  void check(world&, std::uint64_t) const override {
    if (!right_.empty()) {
      require(block_ == right_, "an element is not in its place");
      return;
    }
    for (std::uint64_t place = 0; place < block_.size(); ++place) {
      require(block_[place] != nothing && permutation_(block_[place]) == first_ + place,
              "an element is not in its place");
    }
    right_ = block_;
  }
  void check_alone(std::uint64_t) const override {
    // Elements of different PEs may have met in a place; one of the elements must be there.
    for (std::uint64_t i = 0; i < items(); ++i) {
      const std::uint64_t place = at(i).place;
      require(block_[place] != nothing && permutation_(block_[place]) % items() == place,
              "an element is not in its place");
    }
  }

 private:
  static constexpr int pe_bits = 16;
  static constexpr std::uint64_t pe_mask = (std::uint64_t{1} << pe_bits) - 1;
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  std::uint64_t first_;
  random_permutation permutation_;
  std::vector<std::uint64_t> goals_;  // place and PE of each element, packed into one number
  std::vector<std::uint64_t> block_;
  mutable std::vector<std::uint64_t> right_;  // the expected `block_`; empty: not known yet
};

}  // namespace

std::unique_ptr<benchmark> make_permute(world& w, const setting& s) {
  return make_one_way<permute_job>(w, s);
}

}  // namespace boxcar::bench
