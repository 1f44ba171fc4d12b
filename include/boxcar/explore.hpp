// Runs a program again and again on a simulated machine, each time in another order of what
// happens: which PE goes on, which buffer or message arrives, when a PE is woken, when a wait ends.
// docs/exploration.md explains it with examples. The library is `boxcar::simulated`.
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

// How the orders are chosen.
enum class exploration_strategy : std::uint8_t {
  // Each of what may come next is as likely as the others.
  random_walk,
  // Whoever does something has a priority, drawn at random; at a few moments, drawn as well, the
  // one whose turn it is falls behind the others (probabilistic concurrency testing: "A Randomized
  // Scheduler with Probabilistic Guarantees of Finding Bugs", Burckhardt and others, 2010).
  priorities,
  // All orders, one after the other, that differ in at most `deviations` choices from one in which
  // what could happen first does.
  depth_first
};

struct explore_options {
  // Its seed is that of the first run; the next one has the next. The times of its network say
  // nothing here.
  simulate_options machine{};
  exploration_strategy strategy = exploration_strategy::random_walk;
  // At most. It ends before with the first failure, or if depth first there is no other order.
  std::uint64_t runs = 1000;
  int change_points = 3;            // of priorities; from 1 to 5
  std::size_t deviations = 2;       // depth first
  std::size_t depth = 1000;         // depth first: only among so many choices from the first on
  std::uint64_t longest = 100'000;  // events of a run, after which it counts as one without an end
  // In each run a PE that is chosen throws, somewhere where it waits: the others must get to know
  // and end, by a world_error. Results need not be right then.
  bool one_pe_fails = false;
  // Only the run that is named like this (exploration::failed_run).
  std::string replay = {};
};

// What an exploration was.
struct exploration {
  std::uint64_t runs = 0;
  // simulation::trace_hash of each: as many as there were different orders.
  std::unordered_set<std::uint64_t> traces;
  std::string failure;           // what was thrown; empty if nothing was
  std::exception_ptr exception;  // the same
  std::string failed_run;        // names the run, for explore_options::replay
};

// Runs `function` on all PEs of the machine, as `simulate` does, once for each order; local. A run
// fails if a PE throws, if PEs wait and nothing can happen any more, or if it has no end. (A
// function that finds a wrong result throws.) The function must do the same in each run but for
// what the order decides: what it changes beside the PEs' own must be as before when it begins.
//
// Within the function, what is not at the order's mercy is not explored: between two calls of
// Boxcar that wait, look or let others see something, a PE runs on its own.
//
// Throws argument_error if the options cannot work or no run has such a name; contract_error and
// system_error as `simulate` does.
exploration explore(const explore_options& options, const std::function<void(world&)>& function);

}  // namespace boxcar
