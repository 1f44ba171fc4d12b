// What a setting achieves on a simulated machine.
#pragma once

#include <boxcar/conveyor_plan.hpp>

namespace boxcar::planner {

struct trial {
  double seconds;         // of one session, from begin to the end of reset
  double injected_bytes;  // by a node on average, in all
};

// One session in which every PE sends its items to PEs drawn at random, by boxcar::simulate.
// `wish.items_per_pe` must not be 0. Throws as `simulate` does.
trial try_setting(const plan_request& wish, const simulated_network& network,
                  const conveyor_options& options);

}  // namespace boxcar::planner
