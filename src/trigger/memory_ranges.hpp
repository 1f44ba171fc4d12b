// How memory that a client names lies to other memory. Spans may be of different objects.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace boxcar::detail {

// Some bytes are in both.
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
