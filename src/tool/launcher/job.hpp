// The execution of a job: starts the PEs as processes, watches them, and leaves no processes
// behind.
//
// `boxcar run` is a user of the job; tests are another user, whose PEs continue in the forked
// process without executing a program.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include <boxcar/error.hpp>

#include "launcher/larger_job.hpp"

namespace boxcar::launcher {

struct job_options {
  int pes = 1;
  int nodes = 1;       // pretended nodes that the PEs are spread over
  bool label = false;  // prefix every line of output with "[rank] "
  // The time after which the job ends everything.
  std::optional<std::chrono::nanoseconds> timeout = std::nullopt;
  // The larger job around this job. Messages then go to the overseer of the larger job.
  std::optional<larger_job> whole = std::nullopt;
};

// Thrown by a child that cannot become a PE. The job reports the first of these errors once, in
// place of one exit status per PE, and ends with `status`.
class cannot_start : public error {
 public:
  cannot_start(const std::string& what, int status) : error(what), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

// Throws argument_error if the options are impossible.
void check(const job_options& options);

// Runs `child` in one new process per PE and returns when all PEs, and all processes started by
// them, have ended. `child` either executes a program or returns the exit status of its PE. The
// child runs in its own process group, with an environment by which the library joins the job. PE 0
// has the standard input of this process (nothing, if the input is a terminal), the other PEs have
// an empty input. This process passes on the output of all PEs line by line.
//
// Returns 0 if every PE did, or otherwise, after a message on standard error,
// - the exit status of the PE that failed first, 128 + the number of the signal that killed the PE,
//   or 1 if the PE left by status 0 while it was needed (all other PEs are ended within a second);
// - 124 if the time was up;
// - 128 + the number of the signal by which this process was asked to end (SIGINT, SIGTERM, SIGQUIT
//   or, unless ignored, SIGHUP), or 141 = 128 + SIGPIPE, without a message, if nobody reads the
//   output any more.
// Returns 1, after a message, if the machine does not let all PEs be started; no PE is left then.
// Throws argument_error as `check` does, and system_error if there is no memory for the job.
//
// Precondition: the caller is the main thread of a process. Other children of the process are left
// alone.
int run_job(const job_options& options, const std::function<int(int rank)>& child);

}  // namespace boxcar::launcher
