// Finds the program that `boxcar run` is to start, before it starts anything, and starts it.
#pragma once

#include <string>
#include <vector>

namespace boxcar::tool {

// The path of an executable file; `name` is looked up in PATH if it has no slash. Throws
// launcher::cannot_start with the status that shells use: 127 if there is no such file, 126 if it
// cannot be executed.
std::string find_program(const std::string& name);

// Becomes that program, with these words, its name among them. Throws launcher::cannot_start.
[[noreturn]] void execute_program(const std::string& path, const std::vector<std::string>& words);

}  // namespace boxcar::tool
