// How a program gets a world.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include <boxcar/world.hpp>

namespace boxcar {

struct run_options {
  // Spread the PEs over this many pretended nodes, to exercise on one machine what happens between
  // several. 1 to the number of PEs.
  int nodes = 1;
  // A thread of the process serves PEs of other nodes while the PEs of this process compute
  // (docs/progress.md). The same as BOXCAR_PROGRESS_THREAD=1.
  bool progress_thread = false;
};

namespace detail {

// `function` returns an exit status: the result is that of the lowest PE that returned another one
// than 0, or 0.
int run_with_status(int pes, const std::function<int(world&)>& function, run_options options);
int run_with_status(const std::function<int(world&)>& function);

// The world of a substrate that this process has joined, which becomes the world's own. What this
// PE does in the world is recorded if BOXCAR_TRACE says so. Local. Throws argument_error or
// system_error if the trace cannot be written.
world world_of_joined(substrate* owned);

template <typename Function>
concept returns_status =
    std::invocable<Function&, world&> && std::same_as<std::invoke_result_t<Function&, world&>, int>;

}  // namespace detail

// Runs `function` on `pes` PEs that are threads of this process; the caller's thread is PE 0.
// Returns when all have returned. If the function throws on some PE, every other PE that waits for
// it gets a world_error, and the first exception is rethrown here. (No PE may call `exit` with
// status 0 meanwhile: the others may need it. The program ends with status 1 then.)
void run(int pes, const std::function<void(world&)>& function, run_options options = {});

// The same for a function that returns an int. The result is what the lowest PE returned whose
// result is not 0, or 0.
template <detail::returns_status Function>
[[nodiscard]] int run(int pes, Function&& function, run_options options = {}) {
  return detail::run_with_status(pes, std::ref(function), options);
}

// For `main`: runs `function` in the world that this program was started in, and returns the
// program's exit status: 0, or 1 after printing what was thrown. The world is
// - that of the launcher, if `boxcar run` started the program (this process is one PE), or else
// - BOXCAR_PES threads on BOXCAR_NODES pretended nodes, if these variables are set, or else
// - one PE.
int run(const std::function<void(world&)>& function);

// The same for a function that returns an int, the exit status of its PE. If PEs are threads, the
// program's is that of the lowest PE whose status is not 0, when all have returned. If they are
// processes, each ends with its own, and its launcher takes one that is not 0 for a failure and
// ends the others.
template <detail::returns_status Function>
[[nodiscard]] int run(Function&& function) {
  return detail::run_with_status(std::ref(function));
}

// For programs that cannot hand their work to `run`, a library's users for instance: the world that
// this program was started in, as a value. It is that of the launcher, or else one PE (BOXCAR_PES
// does not count: there would be nothing for the other threads to do). To be called at most once in
// a program, and not together with `run`; the PE leaves the world when it, and all that was made
// with it, has been destroyed. A PE that fails says so by ending the program with another exit
// status than 0. Throws argument_error or system_error if the launcher's world cannot be joined.
[[nodiscard]] world join();

}  // namespace boxcar
