// The command line of `boxcar bench`.
#pragma once

#include <CLI/CLI.hpp>

#include "request.hpp"

namespace boxcar::tool {

// Adds the options of `boxcar bench`, which set the members of `wanted`.
void add_bench_options(CLI::App& app, bench::request& wanted);

}  // namespace boxcar::tool
