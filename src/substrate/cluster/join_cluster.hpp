// How the processes that a cluster's library has brought together become a world.
#pragma once

#include <memory>

#include "substrate/cluster/network.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective over the network's PEs. PEs that can share memory make up a node; if `pretended_nodes`
// is not 1, the PEs are spread over so many nodes in the order of their ranks, whatever machines
// they are on, but PEs of different machines never share one. Throws argument_error or
// system_error, the same on all PEs.
std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net, int pretended_nodes);

}  // namespace boxcar::detail
