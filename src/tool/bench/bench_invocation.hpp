// The way in which this process was started, for the report of a benchmark.
#pragma once

#include <string>
#include <vector>

#include "invocation.hpp"

namespace boxcar::tool {

// `command` is the command line of this process.
bench::invocation invocation_of(const std::vector<std::string>& command);

}  // namespace boxcar::tool
