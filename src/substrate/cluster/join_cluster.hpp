// How the processes that a cluster's library has brought together become a world.
#pragma once

#include <functional>
#include <memory>

#include "substrate/cluster/network.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective over the network's PEs. PEs that can share memory make up a node; if `pretended_nodes`
// says another number than 1, the PEs are spread over so many nodes in the order of their ranks,
// whatever machines they are on, but PEs of different machines never share one. Throws agreed_error
// or system_error, the same on all PEs, also if `pretended_nodes` throws argument_error on one.
std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net,
                                        const std::function<int()>& pretended_nodes);

}  // namespace boxcar::detail
