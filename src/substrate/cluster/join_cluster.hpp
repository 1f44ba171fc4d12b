// How the processes that a cluster's library has brought together become a world.
#pragma once

#include <functional>
#include <memory>

#include "substrate/cluster/job_start.hpp"
#include "substrate/cluster/network.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct world_request {
  int pretended_nodes = 1;
  bool progress_thread = false;  // for this PE (progress_thread.hpp)
};

// Collective over the network's PEs. PEs that can share memory make up a node; if another number of
// nodes than 1 is to be pretended, the PEs are spread over so many nodes in the order of their
// ranks, whatever machines they are on, but PEs of different machines never share one. Throws
// agreed_error or system_error, the same on all PEs, also if `asked_for` throws argument_error on
// one, or one cannot have a progress thread.
std::unique_ptr<substrate> join_cluster(std::shared_ptr<network> net,
                                        const std::function<world_request()>& asked_for);

// The same where all PEs can share memory and no more nodes than 1 are to be pretended, which is
// known before: they need no network.
std::unique_ptr<substrate> join_node(job_start& job,
                                     const std::function<world_request()>& asked_for);

}  // namespace boxcar::detail
