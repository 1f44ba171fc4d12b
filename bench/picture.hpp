// The picture of the results of a benchmark: figures over sizes, as Figures 9 and 10 of
// offloaded-collectives-2013.
#pragma once

#include <vector>

#include "plot.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// Throws argument_error for a picture that the benchmark does not have, or for a picture in the
// place of the other report.
void check_picture(const request& wanted);

// A line for each contender, and panels of their own for each number of PEs and class. Failures,
// and values that are not positive on a logarithmic axis, are left out.
[[nodiscard]] plot picture_of(const request& wanted, const std::vector<setting_result>& results);

}  // namespace boxcar::bench
