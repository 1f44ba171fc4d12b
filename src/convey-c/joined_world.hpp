// The world of a program in C that uses <convey.h>.
#pragma once

#include <boxcar/world.hpp>

namespace boxcar::convey_c {

// Returns `detail::implicit_world()`, and throws the same exceptions. If the world cannot be
// joined, the process fails even if the program ignores the error: exit status 0 becomes 1, as the
// launcher would take the job for a success although the job never ran.
world& joined_world();

}  // namespace boxcar::convey_c
