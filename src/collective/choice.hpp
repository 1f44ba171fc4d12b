// Selects the topology of a collective, with the reason. Pure.
#pragma once

#include <vector>

#include "collective/measured_ways.hpp"
#include "collective/request.hpp"

namespace boxcar::detail {

// Returns a complete selection: each option that the caller left open is chosen. `nodes` contains
// the node of each PE; nodes are numbered in the order of their lowest PEs. `measured` counts
// within a node.
[[nodiscard]] collective_way choose_way(const collective_request& call,
                                        const collective_options& options,
                                        const std::vector<int>& nodes,
                                        const way_table& measured = way_table::built_in());

}  // namespace boxcar::detail
