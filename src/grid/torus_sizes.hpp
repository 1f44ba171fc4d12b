// The sizes of a torus of nodes, as its first dimension runs fastest: those that it has, or those
// that are chosen for so many nodes. Without places that no node has, if the nodes factor well.
#pragma once

#include <vector>

#include <boxcar/network.hpp>

namespace boxcar::detail {

// Throws argument_error if the number of dimensions is out of range and there are no sizes, or if a
// size is, or the product of the sizes is no int.
std::vector<int> torus_sizes(const torus& t, int nodes);

}  // namespace boxcar::detail
