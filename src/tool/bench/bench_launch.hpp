// The functions that start the PEs of a benchmark.
#pragma once

#include <optional>

#include "measure.hpp"
#include "request.hpp"
#include "result.hpp"
#include "setting.hpp"

namespace boxcar::tool {

// Throws argument_error, with advice, if this process cannot start PEs of the kind or number.
void check_can_launch(const bench::setting& s);

// Returns the result; nothing if the PEs failed and have printed the reason on standard error.
// Precondition: the setting is complete, and the caller is the main thread.
std::optional<bench::setting_result> measure_launched(const bench::setting& s,
                                                      const bench::request& wanted,
                                                      const bench::place_in_sweep& place);

}  // namespace boxcar::tool
