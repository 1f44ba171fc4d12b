// Links between PEs of a node, on every substrate: the sender writes directly into the receiver's
// buffer in shared memory.
#pragma once

#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective over `world`. The plan names only PEs of the local node.
std::unique_ptr<link_set> make_shared_memory_links(substrate& world, const link_plan& plan);

}  // namespace boxcar::detail
