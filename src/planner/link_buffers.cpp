#include "planner/link_buffers.hpp"

#include <algorithm>
#include <cmath>

namespace boxcar::detail {
namespace {

double upper_tail(double x) {
  return 0.5 * std::erfc(x / std::sqrt(2.0));
}

}  // namespace

overflows overflows_of(double n, double capacity) {
  if (n <= 0) return {};
  const double spread = std::sqrt(n);
  // The number of packets then spreads over so many multiples of the capacity that every remainder
  // is equally likely.
  constexpr double very_wide = 2e4;
  if (spread > very_wide * capacity) {
    const double square = capacity * capacity;
    return {n / capacity - (capacity - 1) / (2 * capacity), (n + (square - 1) / 12) / square};
  }
  const double least = std::max(0.0, std::floor((n - 6 * spread) / capacity) - 1);
  double more = 0;
  double square = 0;  // of the number above `least`
  for (double k = 1; (least + k) * capacity < n + 6 * spread + 1; ++k) {
    const double at_least = upper_tail(((least + k) * capacity + 0.5 - n) / spread);
    more += at_least;
    square += (2 * k - 1) * at_least;
  }
  return {least + more, std::max(0.0, square - more * more)};
}

double buffers_of(double n, double capacity) {
  return overflows_of(n, capacity).mean + 1;
}

}  // namespace boxcar::detail
