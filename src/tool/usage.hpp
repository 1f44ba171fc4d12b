// The complaints of a command about its arguments, and the standard descriptors of a process, which
// may be closed, or lead to a full disk.
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

// Writes what standard output still holds. Returns the exit status of the command: `status`, or 1
// after a message if standard output could not be written.
int end_of_output(const std::string& command, int status);

}  // namespace boxcar::tool
