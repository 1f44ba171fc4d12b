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

// For programs that cannot hand their work to `run`, a library's users for instance: the world that
// this program was started in, as a value. It is that of the launcher, or else one PE (BOXCAR_PES
// does not count: there would be nothing for the other threads to do). To be called at most once in
// a program, and not together with `run`; the PE leaves the world when it, and all that was made
// with it, has been destroyed. A PE that fails says so by ending the program with another exit
// status than 0. Throws argument_error or system_error if the launcher's world cannot be joined.
[[nodiscard]] world join();

}  // namespace boxcar
