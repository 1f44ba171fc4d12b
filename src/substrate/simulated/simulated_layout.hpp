// The nodes of a simulated machine, and the PEs on each of them.
#pragma once

#include <boxcar/simulate.hpp>

#include "substrate/node_layout.hpp"

namespace boxcar::detail {

// Throws argument_error if there can be no such machine, or if its PEs do not fit into the memory
// of the real machine.
[[nodiscard]] node_layout simulated_layout(const simulate_options& options);

}  // namespace boxcar::detail
