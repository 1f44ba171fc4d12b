// How a program gets a world.
#pragma once

#include <functional>

#include <boxcar/world.hpp>

namespace boxcar {

struct run_options {
  // Spread the PEs over this many pretended nodes, to exercise on one machine what happens between
  // several. 1 to the number of PEs.
  int nodes = 1;
};

// Runs `function` on `pes` PEs that are threads of this process; the caller's thread is PE 0.
// Returns when all have returned. If the function throws on some PE, every other PE that waits for
// it gets a world_error, and the first exception is rethrown here.
void run(int pes, const std::function<void(world&)>& function, run_options options = {});

// For `main`: runs `function` in the world that this program was started in, and returns the
// program's exit status: 0, or 1 after printing what was thrown. The world is
// - that of the launcher, if `boxcar run` started the program (this process is one PE), or else
// - BOXCAR_PES threads on BOXCAR_NODES pretended nodes, if these variables are set, or else
// - one PE.
int run(const std::function<void(world&)>& function);

}  // namespace boxcar
