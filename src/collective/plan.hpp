// Builds each collective as data flows over a topology. Pure.
#pragma once

#include <vector>

#include "collective/flow.hpp"
#include "collective/request.hpp"

namespace boxcar::detail {

// Records the steps of the flow's PE. `nodes` has the node of each PE.
void lay(flow& f, const collective_request& call, const collective_way& way,
         const std::vector<int>& nodes);

}  // namespace boxcar::detail
