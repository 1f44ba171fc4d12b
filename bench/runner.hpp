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
  // A round is made of as many sessions as this takes: a clock and a barrier are not free. Those of
  // a job that cannot repeat are measured and checked one by one, and fewer if that takes long.
  double least_seconds = 0.02;
  // Called before each measurement with what is done and how much there is, if set.
  std::function<void(int done, int of)> progress = nullptr;
};

// Collective. Every round measures each contender once, so that whatever else the machine does
// befalls all alike; the first rounds only warm up. Every result is checked. A contender that fails
// or gets it wrong takes part in no further round, and its result says why. The world must not have
// failed by that. If the job has runs during which PEs compute, a round measures, one after the
// other, the runs of a session alone, the computation alone, which warming up makes as long as
// these, and both.
[[nodiscard]] std::vector<contender_result> take_turns(
    world& w, const std::vector<std::unique_ptr<contender>>& contenders, const turns& how);

}  // namespace boxcar::bench
