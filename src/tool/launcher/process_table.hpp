// What the system tells about processes, by their numbers as /proc has them.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace boxcar::launcher {

// 0 if there is no such process any more, or none that can be seen.
pid_t parent_of(const std::string& pid);

// Its command line, word by word; empty if that cannot be had.
std::vector<std::string> command_of(const std::string& pid);

}  // namespace boxcar::launcher
