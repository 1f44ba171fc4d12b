// The explorer runs a program again and again on a simulated machine, each time with another order
// of events: which PE runs next, which buffer or message arrives, when a PE is woken, when a wait
// ends. docs/exploration.md explains exploration with examples. The library is `boxcar::simulated`.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <unordered_set>

#include <boxcar/simulate.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The strategy by which the orders are chosen.
enum class exploration_strategy : std::uint8_t {
  // Each possible next event is equally likely.
  random_walk,
  // Every actor has a priority, drawn at random; at a few moments, drawn as well, the actor whose
  // turn has come falls behind the other actors (probabilistic concurrency testing: "A Randomized
  // Scheduler with Probabilistic Guarantees of Finding Bugs", Burckhardt and others, 2010).
  priorities,
  // All orders, one after the other, that differ in at most `deviations` choices from the order in
  // which the earliest possible event always happens first.
  depth_first
};

struct explore_options {
  // The simulated machine. Its seed is the seed of the first run; each later run has the next seed.
  // The times of its network have no meaning here.
  simulate_options machine{};
  exploration_strategy strategy = exploration_strategy::random_walk;
  // The maximum number of runs. The exploration ends earlier at the first failure, or when the
  // strategy depth_first has no other order.
  std::uint64_t runs = 1000;
  int change_points = 3;            // of the strategy priorities; from 1 to 5
  std::size_t deviations = 2;       // depth first
  std::size_t depth = 1000;         // depth first: only among the first `depth` choices
  std::uint64_t longest = 100'000;  // events of a run, after which the run counts as endless
  // In each run a chosen PE throws, somewhere where the PE waits: the other PEs must notice and
  // end, by a world_error. Results need not be right then.
  bool one_pe_fails = false;
  // Only the run with the given name (exploration::failed_run).
  std::string replay = {};
};

// The result of an exploration.
struct exploration {
  std::uint64_t runs = 0;
  // simulation::trace_hash of each run: the size is the number of different orders.
  std::unordered_set<std::uint64_t> traces;
  std::string failure;           // the text of the exception; empty if no run failed
  std::exception_ptr exception;  // the exception; null if no run failed
  std::string failed_run;        // names the run, for explore_options::replay
};

// Runs `function` on all PEs of the machine, as `simulate` does, once for each order; local. A run
// fails if a PE throws, if PEs wait and nothing can happen any more, or if the run does not end. (A
// function that finds a wrong result throws.) Precondition: the function does the same in each run
// except for effects of the order; state outside of the PEs that the function changes is restored
// when a run begins.
//
// Within the function, code that does not depend on the order is not explored: between two calls of
// Boxcar that wait, look or let other PEs see something, a PE runs on its own.
//
// Throws argument_error if the options cannot work or no run has the name in `replay`;
// contract_error and system_error as `simulate` does.
exploration explore(const explore_options& options, const std::function<void(world&)>& function);

}  // namespace boxcar
