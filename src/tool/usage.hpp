// The complaints of a command about its arguments, and the standard descriptors of a process.
#pragma once

#include <string>

namespace boxcar::tool {

inline constexpr int wrong_usage = 2;

// Prints a complaint, and returns the exit status. Under a launcher every process of the job reads
// the same arguments, and only the first process complains: the others return 0, as the launcher
// might otherwise end the process that complains.
int complain_of_usage(const std::string& complaint);

// Opens the standard descriptors that are closed. A file that is opened later would otherwise take
// the place of one of them, and receive the text that is printed.
void open_standard_descriptors();

}  // namespace boxcar::tool
