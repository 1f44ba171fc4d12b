// Opens the library of the baselines that need what the world runs on.
#pragma once

#include <string_view>

#include "baseline.hpp"

namespace boxcar::bench {

// nullptr if this substrate has none. Throws system_error if it should have one that cannot be
// opened. The library stays open.
[[nodiscard]] make_baselines open_baseline_library(std::string_view substrate);

}  // namespace boxcar::bench
