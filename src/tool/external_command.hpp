// The commands of `boxcar` with separate programs, like commands of git: `boxcar NAME` becomes
// boxcar-NAME.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace boxcar::tool {

struct external_command {
  const char* name;
  const char* meaning;
  const char* needs;  // why the program may be missing, and the remedy
};

// Returns the commands that come with Boxcar.
std::span<const external_command> external_commands();

// Returns the path of the program of a command: beside this program, or otherwise in PATH; empty if
// there is none.
std::string find_external(const std::string& command);

// Becomes the program of `command`. `self` is the invocation name of this program, and `words` are
// the arguments of the command. Throws launcher::cannot_start if the program is missing.
[[noreturn]] void execute_external(const std::string& self, const std::string& command,
                                   const std::vector<std::string>& words);

}  // namespace boxcar::tool
