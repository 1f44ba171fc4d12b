// Lets all contenders do the job in turns.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "contender.hpp"
#include "result.hpp"

namespace boxcar::bench {

struct turns {
  int rounds = 5;
  // The least duration of a round, which sets its number of sessions: a clock and a barrier are not
  // free. Sessions of a job that cannot repeat are measured and checked one by one, with fewer if
  // they take long.
  double least_seconds = 0.02;
  // Called before each measurement with the number of measurements done and the total, if set.
  std::function<void(int done, int of)> progress = nullptr;
};

// Collective. Every round measures each contender once, so that other load on the machine affects
// all contenders alike; the first rounds only warm up. Every result is checked. A contender with an
// error or a wrong result takes part in no further round, and its result gives the reason.
// Precondition: the error has not failed the world. For a job whose runs overlap with computation,
// a round measures, one after the other, the runs of a session alone, the computation alone (whose
// length the warm-up sets to the length of the runs), and both.
[[nodiscard]] std::vector<contender_result> take_turns(
    world& w, const std::vector<std::unique_ptr<contender>>& contenders, const turns& how);

}  // namespace boxcar::bench
