// The growth of a hash table with linear probing that doubles in place, as a copy would need half
// as much memory again, and fresh pages are slow.
#pragma once

#include <cstddef>

namespace boxcar::python {

// Calls `move(place)` for all records of the lower half of a table that has just doubled from
// `old_capacity`, a power of two. Every record stays in the lower half, or goes to the same place
// in the upper half. In the order of places, from a place behind an empty record, each record finds
// all records that it may collide with moved already. Precondition: one record is empty.
template <typename IsEmpty, typename Move>
void move_records(std::size_t old_capacity, const IsEmpty& is_empty, const Move& move) {
  std::size_t first = 0;
  while (!is_empty(first)) ++first;
  for (std::size_t i = 1; i < old_capacity; ++i) {
    const std::size_t place = (first + i) & (old_capacity - 1);
    if (!is_empty(place)) move(place);
  }
}

}  // namespace boxcar::python
