// What the launcher says about PEs.
#pragma once

#include <string>
#include <vector>

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::launcher {

// "signal 9 (SIGKILL)"
std::string describe_signal(int signal);

// "exited with status 3", "was killed by signal 9 (SIGKILL)"; takes what waitpid gave.
std::string describe_end(int wait_status);

// The exit status by which a shell would tell of it.
int exit_status_of(int wait_status);

// "PE 3", "PEs 0, 4-7"; takes ranks in rising order. They are counted from `first` on.
std::string name_pes(const std::vector<int>& ranks, int first = 0);

// What each of these PEs is doing, one line for all that do the same.
std::string describe_doing(detail::job_block& job, const std::vector<int>& ranks, int first = 0);

}  // namespace boxcar::launcher
