// Questions about which PEs of a world share a node.
#pragma once

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The number of PEs per node, if it is the same for all nodes and they are numbered consecutively;
// otherwise 0.
int pes_per_node(const substrate& world);

}  // namespace boxcar::detail
