// Over which topology a collective goes, and why. Pure.
#pragma once

#include <vector>

#include "collective/request.hpp"

namespace boxcar::detail {

// Everything chosen that was left open, with the reason. `nodes`: of each PE, numbered in the order
// of their lowest PEs.
[[nodiscard]] collective_way choose_way(const collective_request& call,
                                        const collective_options& options,
                                        const std::vector<int>& nodes);

}  // namespace boxcar::detail
