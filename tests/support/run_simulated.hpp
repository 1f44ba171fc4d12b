// Runs worlds on a simulated machine, where support for it is built.
#pragma once

#include <functional>

#include <boxcar/world.hpp>

#include "support/world_shape.hpp"

namespace boxcar::test {

bool can_simulate();
// Throws the exceptions of `simulate`. Precondition: support is built.
void run_simulated(const world_shape& shape, const std::function<void(world&)>& body);

}  // namespace boxcar::test
