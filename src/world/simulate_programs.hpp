// Runs a whole program on each PE of a simulated machine.
#pragma once

#include <functional>

#include <boxcar/simulate.hpp>

namespace boxcar::detail {

struct simulated_programs {
  // Each time before a PE runs: puts what belongs to its program alone in its place.
  std::function<void(int rank)> enter;
  // The program on that PE, to its end; the status is its own. Must not throw, nor call `exit`.
  std::function<int(int rank)> main;
};

struct simulated_end {
  simulation was;
  int status = 0;  // of the lowest PE whose program has returned another one than 0
};

// As `simulate`. All that leads a program to its world (`run`, `join`, the interfaces for C) leads
// to that of all PEs.
simulated_end simulate_programs(const simulate_options& options, const simulated_programs& all);

}  // namespace boxcar::detail
