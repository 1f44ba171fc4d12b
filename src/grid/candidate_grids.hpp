// The grids among which the route of a world is chosen.
#pragma once

#include <vector>

#include <boxcar/grid_sizes.hpp>

namespace boxcar::detail {

// Returns balanced grids of 1 to 8 dimensions, fewest dimensions first, without dimensions of size
// 1. The last dimension is the node as long as the nodes can fill the other dimensions; grids of
// more dimensions are balanced over all PEs and follow only if they have fewer links. So for any
// number of PEs and any number of PEs per node the last grids have few links.
[[nodiscard]] std::vector<grid_sizes> candidate_grids(int pes, int pes_per_node);

}  // namespace boxcar::detail
