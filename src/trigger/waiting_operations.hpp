// Operations that wait for a counter, in the order in which they are to fire: of their thresholds,
// then of asking. Those asked for in that order, as most are, are a list: what each costs does not
// depend on how many wait. The others are a pairing heap (Fredman, Sedgewick, Sleator, Tarjan,
// "The pairing heap: a new form of self-adjusting heap", 1986): constant to ask, logarithmic to
// fire.
#pragma once

#include <cstdint>

#include "trigger/records.hpp"

namespace boxcar::detail {

// Of a counter, among `all` the operations of its adapter.
class waiting_operations {
 public:
  waiting_operations(operation_record* all, waiting_record& mine) : all_(all), mine_(mine) {}

  void add(std::uint32_t i);
  // The first of those whose threshold is at most `sum`; no_record: there is none.
  std::uint32_t take(std::uint64_t sum);

 private:
  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t merge(std::uint32_t a, std::uint32_t b);
  std::uint32_t merge_siblings(std::uint32_t first);

  operation_record* all_;
  waiting_record& mine_;
};

}  // namespace boxcar::detail
