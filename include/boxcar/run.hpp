// The header gives a program its world.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include <boxcar/world.hpp>

namespace boxcar {

struct run_options {
  // Spread the PEs over `nodes` emulated nodes, to exercise communication between nodes on one
  // machine. 1 to the number of PEs.
  int nodes = 1;
  // A thread of the process serves PEs of other nodes while the PEs of the process compute
  // (docs/progress.md). Same as BOXCAR_PROGRESS_THREAD=1.
  bool progress_thread = false;
};

namespace detail {

// Runs `function`, which returns an exit status. Returns the status of the lowest PE with a status
// other than 0, or 0.
int run_with_status(int pes, const std::function<int(world&)>& function, run_options options);
int run_with_status(const std::function<int(world&)>& function);

// Returns the world of a substrate that the process has joined; the world takes ownership of the
// substrate. The PE's activity in the world is recorded if BOXCAR_TRACE is set so. Local. Throws
// argument_error or system_error if the trace cannot be written.
world world_of_joined(substrate* owned);

template <typename Function>
concept returns_status =
    std::invocable<Function&, world&> && std::same_as<std::invoke_result_t<Function&, world&>, int>;

}  // namespace detail

// Runs `function` on `pes` PEs that are threads of the process; the caller's thread is PE 0.
// Returns when the function has returned on all PEs. If the function throws on some PE, every other
// PE that waits for the failed PE gets a world_error, and the first exception is rethrown to the
// caller. (Meanwhile no PE may call `exit` with status 0, as the other PEs may need the PE: the
// program would end with status 1.)
void run(int pes, const std::function<void(world&)>& function, run_options options = {});

// As `run` for functions without a result, for a function that returns an int. Returns the result
// of the lowest PE whose result is not 0, or 0.
template <detail::returns_status Function>
[[nodiscard]] int run(int pes, Function&& function, run_options options = {}) {
  return detail::run_with_status(pes, std::ref(function), options);
}

// For `main`: runs `function` in the world that the program was started in, and returns the
// program's exit status: 0, or 1 after printing the exception. The world is
// - that of the launcher, if `boxcar run` started the program (the process is one PE), or else
// - BOXCAR_PES threads on BOXCAR_NODES emulated nodes, if these variables are set, or else
// - one PE.
int run(const std::function<void(world&)>& function);

// As `run` for `main`, for a function that returns an int, the exit status of its PE. If PEs are
// threads, the program's exit status, when all PEs have returned, is the status of the lowest PE
// whose status is not 0. If PEs are processes, each process ends with its own status, and the
// launcher takes a status other than 0 for a failure and ends the other processes.
template <detail::returns_status Function>
[[nodiscard]] int run(Function&& function) {
  return detail::run_with_status(std::ref(function));
}

// For programs that cannot pass their work to `run`, users of a library for instance: returns the
// world of the program's launcher, as a value, or else a world of one PE (BOXCAR_PES is ignored:
// the other threads would have no work). Precondition: called at most once in a program, and not
// together with `run`. The PE leaves the world when the world, and everything that was made with
// the world, has been destroyed. A PE reports a failure by ending the program with an exit status
// other than 0. Throws argument_error or system_error if the launcher's world cannot be joined.
[[nodiscard]] world join();

}  // namespace boxcar
