// The routes and buffer sizes that the planner compares.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_plan.hpp>

namespace boxcar::detail {

struct planned_way {
  conveyor_options options;  // without sizes and numbers of buffers
  std::string route_code;    // in C++, if the setting has a route
};

// Returns the routes that conveyors of the requested number of PEs can take.
std::vector<planned_way> ways_of(const plan_request& wish, const simulated_network& network);

// Returns sizes of buffers, ascending.
std::vector<std::size_t> buffer_sizes_of(const plan_request& wish);

}  // namespace boxcar::detail
