// Which picture is made of the results of a benchmark: figures over sizes, as Figures 9 and 10 of
// offloaded-collectives-2013.
#pragma once

#include <vector>

#include "plot.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// Throws argument_error if a picture is asked for that the benchmark does not have, or in the place
// of the other report.
void check_picture(const request& wanted);

// A line for each contender, and panels of their own for each number of PEs and class. What failed,
// or is not more than nothing where an axis is logarithmic, is left out.
[[nodiscard]] plot picture_of(const request& wanted, const std::vector<setting_result>& results);

}  // namespace boxcar::bench
