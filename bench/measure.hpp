// Measures one setting in a world.
#pragma once

#include <boxcar/world.hpp>

#include "benchmark.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// Collective. The setting must be complete. The result is the same on all PEs.
[[nodiscard]] setting_result measure(world& w, const setting& s, const request& wanted);

}  // namespace boxcar::bench
