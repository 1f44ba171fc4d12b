// Links between PEs of one node, the same on every substrate: the sender fills a buffer where the
// receiver will read it.
#pragma once

#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective over `world`. The plan names only PEs of this PE's node.
std::unique_ptr<link_set> make_shared_memory_links(substrate& world, const link_plan& plan);

}  // namespace boxcar::detail
