// The networks that come with Boxcar, in files beside it.
#pragma once

#include <string>
#include <vector>

namespace boxcar::simulator {

// In alphabetical order; none if the files are not there.
std::vector<std::string> network_names();

// The file of one of these, or the file that `name` itself is. Throws argument_error.
std::string find_network(const std::string& name);

}  // namespace boxcar::simulator
