// Pulling everything that has arrived, as handlers want it.
#pragma once

#include <cstddef>

#include <boxcar/detail/conveyor_core.hpp>

namespace boxcar::detail {

// Calls `take(item, from)` for each item of so many bytes that can be pulled. If it throws, the
// conveyor may not be used any more.
template <typename Take>
[[gnu::always_inline]] inline void take_all(conveyor_core& c, std::size_t bytes, Take&& take) {
  if (!c.has_rows()) {
    while (const std::byte* item = c.pull(bytes)) take(item, c.from());
    return;
  }
  for (auto row = c.unread_row(); !row.empty(); row = c.unread_row()) {
    const int from = c.from();
    for (const std::byte* item = row.begin; item != row.end; item += bytes) take(item, from);
    c.pulled_to(row.end);
  }
}

}  // namespace boxcar::detail
