// Measures one setting in a world.
#pragma once

#include <chrono>
#include <cstddef>

#include <boxcar/world.hpp>

#include "benchmark.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// The place of a setting among all settings of a sweep, for the display of progress.
struct place_in_sweep {
  std::size_t before = 0;  // settings measured before
  std::size_t all = 1;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();  // of the first
};

// Collective. The setting must be complete. The result is the same on all PEs.
[[nodiscard]] setting_result measure(world& w, const setting& s, const request& wanted,
                                     const place_in_sweep& place = {});

}  // namespace boxcar::bench
