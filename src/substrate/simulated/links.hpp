// Links to PEs of other nodes of a simulated machine. The memory of a filled buffer travels itself,
// and returns to a pool after the receiver has read the buffer.
#pragma once

#include <memory>

#include "substrate/links.hpp"

namespace boxcar::detail {

class simulated_substrate;

// Collective over `world`.
std::unique_ptr<link_set> make_simulated_links(simulated_substrate& world, const link_plan& plan);

}  // namespace boxcar::detail
