// `boxcar bench`: measures, on PEs that it starts itself or in the world that it was started in.
#pragma once

#include <string>
#include <vector>

#include "request.hpp"

namespace boxcar::tool {

// `command`: the whole command line, for the report. Returns the exit status: 0 if everything was
// measured and every result was right. Throws boxcar::error if something cannot be done at all.
int bench_command(const bench::request& wanted, const std::vector<std::string>& command);

}  // namespace boxcar::tool
