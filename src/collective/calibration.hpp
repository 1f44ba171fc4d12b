// A calibration is what `boxcar calibrate` has measured on a machine: the fastest algorithms of
// collectives within a node, as a text (docs/collectives.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collective/measured_ways.hpp"

namespace boxcar::detail {

// Rows of a calibration cover all bytes, in order, for each collective and number of PEs.
[[nodiscard]] std::string calibration_text(std::span<const measured_way> rows);
// Parses the content of the file `name`. Throws argument_error, with the line, if anything in it
// cannot be.
[[nodiscard]] std::vector<measured_way> parse_calibration(std::string_view text,
                                                          const std::string& name);

}  // namespace boxcar::detail
