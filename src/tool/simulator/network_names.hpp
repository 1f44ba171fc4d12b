// The networks that come with Boxcar, in files beside the program.
#pragma once

#include <string>
#include <vector>

namespace boxcar::simulator {

// Returns the names in alphabetical order; none if the files are missing.
std::vector<std::string> network_names();

// Returns the file of a network with this name, or otherwise `name` as the name of a file. Throws
// argument_error.
std::string find_network(const std::string& name);

}  // namespace boxcar::simulator
