// Measures collectives within a node, in turns.
#pragma once

#include <chrono>
#include <vector>

#include <boxcar/world.hpp>

#include "calibrate/fastest_ways.hpp"
#include "collective/measured_ways.hpp"

namespace boxcar::tool {

// Collective, in a world of one node. Returns the choices for all collectives on as many PEs as the
// world has, in about `time`.
[[nodiscard]] std::vector<detail::measured_way> measure_collectives(world& w,
                                                                    std::chrono::nanoseconds time);

}  // namespace boxcar::tool
