// Links to PEs of other nodes of a simulated machine: a buffer is filled in memory that travels as
// it is, and that a pool takes back when it has been read.
#pragma once

#include <memory>

#include "substrate/links.hpp"

namespace boxcar::detail {

class simulated_substrate;

// Collective over `world`.
std::unique_ptr<link_set> make_simulated_links(simulated_substrate& world, const link_plan& plan);

}  // namespace boxcar::detail
