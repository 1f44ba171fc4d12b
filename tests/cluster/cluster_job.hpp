// A job of a cluster's launcher, started as a user would, and its end as seen from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test {

struct job_line {
  std::string launcher;  // as tests/support/in_cluster.sh knows it
  int pes = 4;
  int nodes = 1;
  std::string program;
  std::vector<std::string> words;
};

// Starts the job, waits until the program runs no more, and for the launcher to end. Fails the test
// if the program still runs after a time that only a hang takes. Open MPI's launcher sometimes
// hangs in its own end when all processes are gone (it waits for a lock in PMIx_server_finalize):
// it is killed then, and so told, and the ending has no status.
struct job_ending {
  std::optional<int> status;
  std::string output;  // of both kinds
};
job_ending ending_of(const job_line& line);

}  // namespace boxcar::test
