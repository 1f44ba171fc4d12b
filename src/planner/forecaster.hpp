// What a session of conveyors that go one way is expected to take, with buffers of any size: what a
// simulated machine charges (substrate/simulated: links, network_model; porter: what is work),
// summed up for a PE instead of carried out by all of them.
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
  // `way`: options without buffers. What is referred to must stay.
  forecaster(const plan_request& wish, const simulated_network& network,
             const conveyor_options& way);

  // Bytes on the PE that holds most.
  [[nodiscard]] std::size_t memory_bytes(const conveyor_options& options) const;
  // `options`: the same way. All but `code`.
  [[nodiscard]] planned_setting with(const conveyor_options& options) const;

 private:
  const plan_request& wish_;
  const simulated_network& network_;
  setting_traffic traffic_;
  std::vector<topology_load> topology_;  // by stage
};

}  // namespace boxcar::detail
