// The folder with Boxcar's package for CMake, in the installation of this command.
#pragma once

#include <string>

namespace boxcar::tool {

// Returns the folder for CMAKE_PREFIX_PATH or boxcar_DIR: find_package(boxcar) reads
// boxcar-config.cmake there. Throws system_error if the installation has no such file.
std::string cmake_folder();

}  // namespace boxcar::tool
