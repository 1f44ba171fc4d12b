// The programs of a simulated machine: each PE runs a whole program.
#pragma once

#include <functional>

#include <boxcar/simulate.hpp>

namespace boxcar::detail {

struct simulated_programs {
  // Called each time before a PE runs: installs the private data of the PE's program.
  std::function<void(int rank)> enter;
  // Runs the program of PE `rank` to its end and returns the program's status. Must not throw, nor
  // call `exit`.
  std::function<int(int rank)> main;
};

struct simulated_end {
  simulation was;
  int status = 0;  // of the lowest PE whose program has returned a status other than 0
};

// Runs the programs like `simulate`. All functions that lead a program to its world (`run`, `join`,
// the interfaces for C) lead to the world of all PEs.
simulated_end simulate_programs(const simulate_options& options, const simulated_programs& all);

}  // namespace boxcar::detail
