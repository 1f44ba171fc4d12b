// Time on the clock of a simulated machine.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace boxcar::detail {

// In picoseconds since the machine began: it lasts for 100 days.
using moment = std::int64_t;
inline constexpr moment never = std::numeric_limits<moment>::max();

inline moment from_nanoseconds(double ns) {
  return std::llround(ns * 1000);
}
inline moment to_moment(std::chrono::nanoseconds duration) {
  constexpr auto longest = never / 4000;
  return duration.count() > longest ? longest * 1000 : duration.count() * 1000;
}
inline std::chrono::nanoseconds to_nanoseconds(moment m) {
  return std::chrono::nanoseconds(m / 1000);
}

}  // namespace boxcar::detail
