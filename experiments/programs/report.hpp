// Prints the results of a program of an experiment: a line "name value" for each on standard
// output.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include <boxcar/world.hpp>

namespace experiments {

// Collective. The time from the last PE's start to the last PE's end of the work.
template <typename Work>
double seconds_of(boxcar::world& w, Work&& work) {
  w.barrier();
  const auto begin = w.now();
  work();
  const double mine = std::chrono::duration<double>(w.now() - begin).count();
  return w.reduce(mine, [](double a, double b) { return a < b ? b : a; });
}

inline void report(const boxcar::world& w, const std::string& name, double value) {
  if (w.rank() == 0) std::printf("%s %.9g\n", name.c_str(), value);
}

}  // namespace experiments
