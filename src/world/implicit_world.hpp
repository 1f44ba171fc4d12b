// The implicit world of a program in C, which has no object for a world.
#pragma once

#include <boxcar/world.hpp>

namespace boxcar::detail {

// Returns the world in which `boxcar::run` has made this thread a PE, or otherwise the world in
// which the program was started: the first call joins the world, and the program leaves the world
// at its exit. Throws argument_error or system_error if the world cannot be joined.
world& implicit_world();

}  // namespace boxcar::detail
