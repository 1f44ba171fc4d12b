// The system's information about processes, by their numbers in /proc.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace boxcar::launcher {

// Returns 0 if the process has ended, or is not visible.
pid_t parent_of(const std::string& pid);

// Returns the command line, word by word; empty if the command line is not available.
std::vector<std::string> command_of(const std::string& pid);

}  // namespace boxcar::launcher
