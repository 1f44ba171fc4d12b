// The implicit world of a program in C, which has no object for a world.
#pragma once

#include <boxcar/world.hpp>

namespace boxcar::detail {

// Returns the world of this thread's PE inside `boxcar::run`; outside, the world of the program's
// launcher: the first call joins the world, and the program leaves the world at its exit. Throws
// argument_error or system_error if the world cannot be joined.
world& implicit_world();

}  // namespace boxcar::detail
