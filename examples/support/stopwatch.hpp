// Measures the time of common work of all PEs.
#pragma once

#include <algorithm>
#include <chrono>

#include <boxcar/world.hpp>

namespace examples {

class stopwatch {
 public:
  // Collective. Starts when all PEs are ready.
  explicit stopwatch(boxcar::world& w) : world_(w) {
    world_.barrier();
    start_ = world_.now();
  }

  // Collective. Seconds until now, of the slowest PE; the same on all PEs.
  [[nodiscard]] double seconds() {
    const double mine = std::chrono::duration<double>(world_.now() - start_).count();
    return world_.reduce(mine, [](double a, double b) { return std::max(a, b); });
  }

 private:
  boxcar::world& world_;
  std::chrono::nanoseconds start_{};
};

}  // namespace examples
