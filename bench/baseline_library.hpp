// Opens the library of the baselines that need what the world runs on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "baseline.hpp"

namespace boxcar::bench {

// nullptr if this substrate has none. Throws system_error if it should have one that cannot be
// opened. The library stays open.
[[nodiscard]] make_baselines open_baseline_library(std::string_view substrate);

// Name and version of the MPI or OpenSHMEM that the world runs on; nothing if it runs on neither,
// or the library that knows cannot be opened.
[[nodiscard]] std::optional<std::string> library_beneath(std::string_view substrate);

}  // namespace boxcar::bench
