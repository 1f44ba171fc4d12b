// Triggered operations, to be counted: operations are requested, fire, and execute, while other
// operations wait.
#pragma once

#include <cstddef>

#include "client_loop.hpp"

enum class triggered { increment, put, replied_put };

// Returns the program of a PE with `waiting` operations that wait.
program triggers(triggered what, std::size_t waiting);

// A schedule of two vertices, started again and again: both ends of a message belong to one PE.
void restart(boxcar::world& w, std::size_t n, table& tally);
