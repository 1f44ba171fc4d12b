// The functions that find the program of `boxcar run` before any PE starts, and execute the
// program.
#pragma once

#include <string>
#include <vector>

namespace boxcar::tool {

// Returns the path of an executable file; a `name` without a slash is looked up in PATH. Throws
// launcher::cannot_start with the status of shells: 127 if there is no such file, 126 if the file
// cannot be executed.
std::string find_program(const std::string& name);

// Becomes the program, with `words` as its arguments, the program's name included. Throws
// launcher::cannot_start.
[[noreturn]] void execute_program(const std::string& path, const std::vector<std::string>& words);

}  // namespace boxcar::tool
