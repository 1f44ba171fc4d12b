// Checks that neighbours expect exactly the blocks that PEs send.
#pragma once

#include <string>

#include "collective/request.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective. Returns a text, equal on all PEs, about the first block that is only sent, or only
// expected, or has two lengths; empty if there is no error. PEs exchange all lists of neighbours
// only if there is an error.
[[nodiscard]] std::string problem_of_neighbors(substrate& world, const collective_request& call);

}  // namespace boxcar::detail
