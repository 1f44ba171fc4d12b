// Overlap and inclusion of memory that the program names. Spans may be of different objects.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace boxcar::detail {

// Returns whether the spans share bytes.
inline bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> is_before;
  return !a.empty() && !b.empty() && is_before(a.data(), b.data() + b.size()) &&
         is_before(b.data(), a.data() + a.size());
}

inline bool is_within(std::span<const std::byte> some, std::span<const std::byte> all) {
  const std::less_equal<> is_at_most;
  return is_at_most(all.data(), some.data()) &&
         is_at_most(some.data() + some.size(), all.data() + all.size());
}

}  // namespace boxcar::detail
