// The command line of `boxcar bench`.
#pragma once

#include <CLI/CLI.hpp>

#include "request.hpp"

namespace boxcar::tool {

CLI::App* add_bench(CLI::App& app, bench::request& wanted);

}  // namespace boxcar::tool
