// Worlds on a simulated machine, where it is built.
#pragma once

#include <functional>

#include <boxcar/world.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

bool can_simulate();
// Throws what `simulate` throws. Only if it can be done.
void run_simulated(const world_shape& shape, const std::function<void(world&)>& body);

}  // namespace boxcar::test
