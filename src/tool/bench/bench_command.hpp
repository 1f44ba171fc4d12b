// `boxcar bench`: measures on PEs that the command starts itself, or in the world of its launcher.
#pragma once

#include <string>
#include <vector>

#include "request.hpp"

namespace boxcar::tool {

// `command`: the whole command line, for the report. Returns the exit status: 0 if everything was
// measured and every result was right. Throws boxcar::error if a measurement is impossible.
int bench_command(const bench::request& wanted, const std::vector<std::string>& command);

}  // namespace boxcar::tool
