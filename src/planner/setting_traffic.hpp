// The traffic of a conveyor with given options if every PE sends to PEs drawn at random.
#pragma once

#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_plan.hpp>

#include "model/fitting.hpp"

namespace boxcar::detail {

// The source and the target node of a message.
struct node_pair {
  int from;
  int to;
};

// The traffic of one hop, for a PE or for some PEs of each node.
struct stage_traffic {
  double near_links = 0;  // to PEs of the same node, the PE itself included if items take that link
  double far_links = 0;
  double idle_links = 0;  // to the PE itself; no item takes these links
  // The items sent over near links and over far links, for each item of an average PE.
  double near_items = 0;
  double far_items = 0;
  double packet_bytes = 0;
  bool is_first = false;  // packets put in count as pushed
  bool is_last = false;   // packets taken out count as pulled
};

// PEs with equal work: the fraction `share` of all PEs.
struct role_traffic {
  double share = 1;
  std::vector<stage_traffic> stages;
};

struct setting_traffic {
  std::vector<role_traffic> roles;
  // Samples, by stage, of the pairs of nodes between which buffers travel.
  std::vector<std::vector<node_pair>> pairs;
  // The cost without buffers per link, except the extra buffer of each remote link.
  way_cost cost;
};

// Throws argument_error.
setting_traffic traffic_of(const plan_request& wish, const conveyor_options& options);

}  // namespace boxcar::detail
