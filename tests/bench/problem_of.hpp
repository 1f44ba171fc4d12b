// The error found by a job's check.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

#include "job.hpp"

namespace boxcar::bench {

// Collective. Returns the error on any PE, after `sessions` sessions; empty if there is none.
inline std::string problem_of(world& w, const job& job, std::uint64_t sessions = 1) {
  std::string problem;
  try {
    job.check(w, sessions);
  } catch (const wrong_result& e) {
    problem = e.what();
  }
  std::string all;
  for (const std::string& one : w.all_gather(problem)) all += one;
  return all;
}

}  // namespace boxcar::bench
