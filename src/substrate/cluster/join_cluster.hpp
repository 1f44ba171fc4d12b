// Functions that make a world of the processes that a cluster's library has brought together.
#pragma once

#include <functional>
#include <memory>

#include "substrate/cluster/job_start.hpp"
#include "substrate/cluster/network.hpp"
#include "substrate/progress_preference.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct world_request {
  int pretended_nodes = 1;
  progress_wish progress_thread = progress_wish::no_thread;  // for this PE
};

// Collective over the network's PEs. PEs that can share memory make up a node. If pretended_nodes
// is not 1, the PEs are spread over pretended_nodes nodes in the order of their ranks, whatever
// their machines, but PEs of different machines never share a node. Throws agreed_error or
// system_error, the same on all PEs, also if `asked_for` throws argument_error on a PE, or a PE
// cannot have the progress thread that it requires.
std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net,
                                        const std::function<world_request()>& asked_for);

// Makes a world as join_cluster does, of PEs that need no network. Precondition: all PEs can share
// memory, and pretended_nodes is 1 at most.
std::unique_ptr<substrate> join_node(job_start& job,
                                     const std::function<world_request()>& asked_for);

}  // namespace boxcar::detail
