// How busy the links between adapters are with what nodes send to one another, and how long one
// buffer travels, by the shape of the network alone: traffic is spread evenly over links of a kind.
#pragma once

#include <vector>

#include <boxcar/network.hpp>

#include "planner/setting_traffic.hpp"

namespace boxcar::detail {

struct topology_load {
  // For each byte that every node sends: nanoseconds of each kind of link.
  std::vector<double> busy_per_byte;
  // Of an average buffer, in addition to that between adapters.
  double latency = 0;
};

// Throws argument_error if the topology cannot be.
topology_load load_of(const simulated_network& network, int nodes,
                      const std::vector<node_pair>& pairs);

}  // namespace boxcar::detail
