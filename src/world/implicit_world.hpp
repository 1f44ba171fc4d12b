// The world of a program in C, which has no object for it.
#pragma once

#include <boxcar/world.hpp>

namespace boxcar::detail {

// The world that `boxcar::run` has made this thread a PE of, or else the one that the program was
// started in: joined by the first call, and left when the program exits. Throws argument_error or
// system_error if it cannot be joined.
world& implicit_world();

}  // namespace boxcar::detail
