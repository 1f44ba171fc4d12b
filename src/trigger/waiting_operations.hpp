// Operations that wait for a counter, in firing order: by threshold, then by time of request.
// Operations requested in firing order, the common case, form a list: their cost does not depend on
// the number of waiting operations. All other operations form a pairing heap (Fredman, Sedgewick,
// Sleator, Tarjan, "The pairing heap: a new form of self-adjusting heap", 1986): constant time to
// add, logarithmic time to fire.
#pragma once

#include <cstdint>

#include "trigger/records.hpp"

namespace boxcar::detail {

// The waiting operations of a counter; `all` are the operations of its adapter.
class waiting_operations {
 public:
  waiting_operations(operation_record* all, waiting_record& mine) : all_(all), mine_(mine) {}

  void add(std::uint32_t i);
  // Removes and returns the first operation whose threshold is at most `sum`, or returns no_record.
  std::uint32_t take(std::uint64_t sum);

 private:
  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t merge(std::uint32_t a, std::uint32_t b);
  std::uint32_t merge_siblings(std::uint32_t first);

  operation_record* all_;
  waiting_record& mine_;
};

}  // namespace boxcar::detail
