// Whether what all PEs give to their neighbours is what these take.
#pragma once

#include <string>

#include "collective/request.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective. The first block that is given and not taken, or taken and not given, or of two
// lengths, the same on all PEs; empty if there is none. Only if there is one all PEs learn of all
// neighbours.
[[nodiscard]] std::string problem_of_neighbors(substrate& world, const collective_request& call);

}  // namespace boxcar::detail
