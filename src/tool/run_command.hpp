// `boxcar run`: starts a program as the PEs of one world.
#pragma once

#include <string>
#include <vector>

#include "launcher/job.hpp"

namespace boxcar::tool {

struct run_request {
  launcher::job_options job;
  bool threads = false;              // PEs are threads of one process
  bool ends_with_parent = false;     // the thread that started this process
  std::vector<std::string> program;  // and its arguments
};

// Returns the exit status, or does not return if the program takes the place of this one. Throws
// boxcar::error if nothing was started.
int run_command(const run_request& request);

}  // namespace boxcar::tool
