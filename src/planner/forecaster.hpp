// The forecast of the time of a session, for conveyors with a given route and buffers of any size.
// The forecaster sums up, for a PE, the costs that a simulated machine charges
// (substrate/simulated: links, network_model; porter: the definition of work); no PE executes
// anything.
#pragma once

#include <cstddef>
#include <vector>

#include <boxcar/conveyor_plan.hpp>

#include "planner/setting_traffic.hpp"
#include "planner/topology_load.hpp"

namespace boxcar::detail {

// Throws argument_error if a number is out of range.
void check(const plan_request& wish, const simulated_network& network);

class forecaster {
 public:
  // `way`: options without buffers. Precondition: the arguments outlive the forecaster.
  forecaster(const plan_request& wish, const simulated_network& network,
             const conveyor_options& way);

  // Returns the bytes on the PE that holds most.
  [[nodiscard]] std::size_t memory_bytes(const conveyor_options& options) const;
  // Returns the forecast without `code`. Precondition: `options` has the route given to the
  // constructor.
  [[nodiscard]] planned_setting with(const conveyor_options& options) const;

 private:
  const plan_request& wish_;
  const simulated_network& network_;
  setting_traffic traffic_;
  std::vector<topology_load> topology_;  // by stage
};

}  // namespace boxcar::detail
