// Returns the sizes of a torus of nodes, whose first dimension varies fastest: the given sizes, or
// sizes chosen for the number of nodes. Every place of the chosen sizes has a node if the number of
// nodes factors well.
#pragma once

#include <vector>

#include <boxcar/network.hpp>

namespace boxcar::detail {

// Throws argument_error if a size is out of range, if the product of the sizes is no int, or if
// there are no sizes and the number of dimensions is out of range.
std::vector<int> torus_sizes(const torus& t, int nodes);

}  // namespace boxcar::detail
