// Commands that need the simulated machine are programs of their own, beside this one.
#pragma once

#include <string>
#include <vector>

namespace boxcar::tool {

// Becomes `program`, as `boxcar COMMAND` with these words. Throws launcher::cannot_start.
[[noreturn]] void helper_command(const std::string& command, const std::string& program,
                                 const std::vector<std::string>& words);

}  // namespace boxcar::tool
