// Time on the clock of a simulated machine.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace boxcar::detail {

// A moment is in picoseconds since the start of the machine, for 100 days at most.
using moment = std::int64_t;
inline constexpr moment never = std::numeric_limits<moment>::max();

// Rounds like std::llround, without a call.
inline moment from_nanoseconds(double ns) {
  const double ps = ns * 1000;
  if (!(ps >= 0 && ps < 1e15)) return std::llround(ps);
  const auto whole = static_cast<moment>(ps);
  return whole + (ps - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}
inline moment to_moment(std::chrono::nanoseconds duration) {
  constexpr auto longest = never / 4000;
  return duration.count() > longest ? longest * 1000 : duration.count() * 1000;
}
inline std::chrono::nanoseconds to_nanoseconds(moment m) {
  return std::chrono::nanoseconds(m / 1000);
}

}  // namespace boxcar::detail
