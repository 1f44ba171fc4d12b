// Each collective as flows of data laid over a topology. Pure.
#pragma once

#include <vector>

#include "collective/flow.hpp"
#include "collective/request.hpp"

namespace boxcar::detail {

// What the PE of the flow does. `nodes`: of each PE.
void lay(flow& f, const collective_request& call, const collective_way& way,
         const std::vector<int>& nodes);

}  // namespace boxcar::detail
