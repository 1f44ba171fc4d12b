// A job of a cluster's launcher, started as a user would, and its end as seen from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test {

struct job_line {
  std::string launcher;  // a name known to tests/support/in_cluster.sh
  int pes = 4;
  int nodes = 1;
  std::string program;
  std::vector<std::string> words;
};

// Starts the job, waits for the end of the program, and for the end of the launcher. Fails the test
// if the program still runs after a time that only a hang takes. Open MPI's launcher sometimes
// hangs in its own end when all processes are gone (it waits for a lock in PMIx_server_finalize):
// the launcher is then killed with a message, and the ending has no status.
struct job_ending {
  std::optional<int> status;
  std::string output;  // standard output and error
};
job_ending ending_of(const job_line& line);

}  // namespace boxcar::test
