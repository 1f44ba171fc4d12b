// The folder of the running program: other parts of an installation lie beside the folder.
#pragma once

#include <filesystem>

namespace boxcar::tool {

// Returns the folder of the program of this process, without symbolic links, or nothing where /proc
// is missing.
std::filesystem::path own_folder();

}  // namespace boxcar::tool
