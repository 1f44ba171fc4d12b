// The load of the links between adapters under the traffic between nodes, and the latency of a
// buffer, by the shape of the network alone: traffic is spread evenly over links of a kind.
#pragma once

#include <vector>

#include <boxcar/network.hpp>

#include "planner/setting_traffic.hpp"

namespace boxcar::detail {

struct topology_load {
  // Nanoseconds of each kind of link, for each byte sent by every node.
  std::vector<double> busy_per_byte;
  // The latency of an average buffer, in addition to the latency between adapters.
  double latency = 0;
};

// Throws argument_error if the topology is impossible.
topology_load load_of(const simulated_network& network, int nodes,
                      const std::vector<node_pair>& pairs);

}  // namespace boxcar::detail
