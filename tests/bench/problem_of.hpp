// What a job finds wrong.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

#include "job.hpp"

namespace boxcar::bench {

// Collective. On any PE, after so many sessions; empty if nothing is.
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
