// Starts the PEs that a benchmark is to be measured on.
#pragma once

#include <optional>

#include "measure.hpp"
#include "request.hpp"
#include "result.hpp"
#include "setting.hpp"

namespace boxcar::tool {

// Throws argument_error, with what to do, if PEs of this kind or number cannot be started from
// here.
void check_can_launch(const bench::setting& s);

// The setting must be complete. Nothing if PEs could not do it; then they have said why on standard
// error. To be called by the main thread.
std::optional<bench::setting_result> measure_launched(const bench::setting& s,
                                                      const bench::request& wanted,
                                                      const bench::place_in_sweep& place);

}  // namespace boxcar::tool
