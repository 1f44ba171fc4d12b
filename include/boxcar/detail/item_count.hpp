// The number of items that a PE sends in a session, as models count it.
#pragma once

#include <cstdint>

namespace boxcar::detail {

// `items_per_pe`: 0 stands for infinitely many items, of which only full buffers count.
[[nodiscard]] constexpr double item_count(std::uint64_t items_per_pe) {
  constexpr double very_many = 1e8;
  return items_per_pe == 0 ? very_many : static_cast<double>(items_per_pe);
}

}  // namespace boxcar::detail
