// `boxcar simulate` is a program of its own, beside this one.
#pragma once

#include <string>
#include <vector>

namespace boxcar::tool {

// Becomes it, with these words. Throws launcher::cannot_start.
[[noreturn]] void simulate_command(const std::vector<std::string>& words);

}  // namespace boxcar::tool
