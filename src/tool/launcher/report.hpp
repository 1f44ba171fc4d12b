// The texts of the launcher about PEs.
#pragma once

#include <string>
#include <vector>

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::launcher {

// Returns a text like "signal 9 (SIGKILL)".
std::string describe_signal(int signal);

// Returns a text like "exited with status 3", "was killed by signal 9 (SIGKILL)"; takes the status
// of waitpid.
std::string describe_end(int wait_status);

// Returns the exit status that a shell would report.
int exit_status_of(int wait_status);

// Returns "PE 3", "PEs 0, 4-7"; takes ranks in rising order. The text counts ranks from `first` on.
std::string name_pes(const std::vector<int>& ranks, int first = 0);

// Returns the activity of each PE, one line for all PEs with the same activity.
std::string describe_doing(detail::job_block& job, const std::vector<int>& ranks, int first = 0);

}  // namespace boxcar::launcher
