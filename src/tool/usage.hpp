// The complaints of a command about its arguments, and the standard descriptors of a process.
#pragma once

#include <string>

namespace boxcar::tool {

inline constexpr int wrong_usage = 2;

// Prints a complaint, and returns the exit status. Under a launcher every process of the job reads
// the same arguments. Only the first process complains: the other processes return 0, because a
// launcher may end the first process as soon as another process fails.
int complain_of_usage(const std::string& complaint);

// Opens closed standard descriptors. Otherwise a file opened later gets the number of a standard
// descriptor, and receives printed text.
void open_standard_descriptors();

}  // namespace boxcar::tool
