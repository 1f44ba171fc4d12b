// A choice_path runs a program in all orders with a few deviations from the usual order, where the
// event possible for the longest time happens first; one run after the other, depth first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "substrate/simulated/chosen_order.hpp"

namespace boxcar::detail {

class choice_path final : public chooser {
 public:
  // Maps the number of a choice to the chosen alternative; 0 for all other choices.
  using deviations = std::map<std::size_t, std::size_t>;

  explicit choice_path(deviations from_usual = {}) : deviations_(std::move(from_usual)) {}

  std::size_t choose(std::span<const std::uint64_t> actors) override { return draw(actors.size()); }
  std::size_t draw(std::size_t alternatives) override {
    const auto found = deviations_.find(alternatives_.size());
    alternatives_.push_back(alternatives);
    // (Deviations of another program may exceed the alternatives.)
    return found == deviations_.end() ? 0 : found->second % alternatives;
  }
  void yields(std::uint64_t) override {}

  // Begins the next run: with at most `max_deviations` deviations, all among the first `depth`
  // choices. Returns false if there is no further run.
  bool next(std::size_t max_deviations, std::size_t depth) {
    for (std::size_t at = std::min(depth, alternatives_.size()); at-- > 0;) {
      deviations_.erase(deviations_.upper_bound(at), deviations_.end());
      const auto here = deviations_.find(at);
      const std::size_t taken = here == deviations_.end() ? 0 : here->second;
      const bool is_allowed = taken != 0 || deviations_.size() < max_deviations;
      if (is_allowed && taken + 1 < alternatives_[at]) {
        deviations_[at] = taken + 1;
        alternatives_.clear();
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] const deviations& taken() const { return deviations_; }

 private:
  deviations deviations_;
  std::vector<std::size_t> alternatives_;  // of each choice of this run
};

}  // namespace boxcar::detail
