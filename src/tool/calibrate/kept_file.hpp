// A file that programs may read while a new content replaces it.
#pragma once

#include <string>

namespace boxcar::tool {

// Replaces the file at once, and makes its folder. Throws system_error.
void keep(const std::string& name, const std::string& content);

}  // namespace boxcar::tool
