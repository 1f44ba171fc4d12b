// The file in which `boxcar calibrate` keeps what was measured on a machine. Each model of
// processor, number of cores and version of Boxcar has a file, as machines may share the folders of
// users.
#pragma once

#include <string>

namespace boxcar::detail {

// Returns the name of the file for this machine: BOXCAR_CALIBRATION, or a file in the user's cache
// folder. Empty if BOXCAR_CALIBRATION is "none", or the user has no folder.
std::string calibration_file();

}  // namespace boxcar::detail
