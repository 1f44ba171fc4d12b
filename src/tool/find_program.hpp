// Finds the program that `boxcar run` is to start, before it starts anything.
#pragma once

#include <string>

namespace boxcar::tool {

// The path of an executable file; `name` is looked up in PATH if it has no slash. Throws
// launcher::cannot_start with the status that shells use: 127 if there is no such file, 126 if it
// cannot be executed.
std::string find_program(const std::string& name);

}  // namespace boxcar::tool
