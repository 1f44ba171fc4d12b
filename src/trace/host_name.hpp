// The name of the host of this process.
#pragma once

#include <string>

namespace boxcar::detail {

// Returns at most 255 characters.
std::string host_name();

}  // namespace boxcar::detail
