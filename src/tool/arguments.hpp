// The command line of a command with a program of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

namespace boxcar::tool {

// Parses the arguments of a command with a program of its own. Returns the exit status if the
// command is over: help has been printed, or the arguments are wrong.
std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv);

}  // namespace boxcar::tool
