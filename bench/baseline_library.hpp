// Opens the library of the baselines that need the substrate's MPI or OpenSHMEM.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "baseline.hpp"

namespace boxcar::bench {

// Returns nullptr if the substrate has no library. Throws system_error if its library cannot be
// opened. The library stays open.
[[nodiscard]] make_baselines open_baseline_library(std::string_view substrate);

// Returns name and version of the MPI or OpenSHMEM that the world runs on; nothing if it runs on
// neither, or the library cannot be opened.
[[nodiscard]] std::optional<std::string> library_beneath(std::string_view substrate);

}  // namespace boxcar::bench
