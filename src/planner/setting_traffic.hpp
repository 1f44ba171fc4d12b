// What a conveyor with given options sends if every PE sends to PEs drawn at random.
#pragma once

#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_plan.hpp>

#include "model/fitting.hpp"

namespace boxcar::detail {

// What is sent from one node to another.
struct node_pair {
  int from;
  int to;
};

// One hop of a PE, or of some PEs of each node.
struct stage_traffic {
  double near_links = 0;  // to PEs of its node, itself included if items take that link
  double far_links = 0;
  double idle_links = 0;  // to itself, which no item takes
  // Of each item that a PE sends on average: how many leave over these.
  double near_items = 0;
  double far_items = 0;
  double packet_bytes = 0;
  bool is_first = false;  // what is put in counts as pushed
  bool is_last = false;   // what is taken out counts as pulled
};

// PEs that have the same to do: `share` of all.
struct role_traffic {
  double share = 1;
  std::vector<stage_traffic> stages;
};

struct setting_traffic {
  std::vector<role_traffic> roles;
  // By stage: between which nodes its buffers travel, for instance.
  std::vector<std::vector<node_pair>> pairs;
  // With no buffers of a link but the one that is filled beside those of remote ones.
  way_cost cost;
};

// Throws argument_error.
setting_traffic traffic_of(const plan_request& wish, const conveyor_options& options);

}  // namespace boxcar::detail
