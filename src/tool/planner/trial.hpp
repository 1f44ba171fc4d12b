// The result of a setting on a simulated machine.
#pragma once

#include <boxcar/conveyor_plan.hpp>

namespace boxcar::planner {

struct trial {
  double seconds;         // of one session, from begin to the end of reset
  double injected_bytes;  // by a node on average, in all
};

// Runs one session in which every PE sends its items to PEs drawn at random, by boxcar::simulate.
// Precondition: `wish.items_per_pe` is not 0. Throws like `simulate`.
trial try_setting(const plan_request& wish, const simulated_network& network,
                  const conveyor_options& options);

}  // namespace boxcar::planner
