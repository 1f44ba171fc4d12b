// Starts the PEs of a job as processes, watches them, and leaves nothing behind.
//
// `boxcar run` is one user of this; tests are another, whose PEs go on in the forked process
// without starting a program.
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
  // End everything after this time.
  std::optional<std::chrono::nanoseconds> timeout = std::nullopt;
  // That this one is a part of. Then what is to be said goes to its overseer.
  std::optional<larger_job> whole = std::nullopt;
};

// Thrown by a child that cannot become a PE. The job reports the first of these once, in place of
// one exit status per PE, and ends with `status`.
class cannot_start : public error {
 public:
  cannot_start(const std::string& what, int status) : error(what), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

// Throws argument_error if the options cannot work.
void check(const job_options& options);

// Runs `child` in one new process per PE and returns when all of them, and whatever they started,
// have ended. `child` either executes a program or returns the exit status of its PE. It finds
// itself in a process group of its own, with an environment by which the library joins the job,
// with standard input from here for PE 0 (nothing, if here is a terminal) and empty for the others,
// and with output that leads through this process, which passes it on line by line.
//
// Returns 0 if every PE did, or else, after a message on standard error,
// - the exit status of the PE that failed first, 128 + the number of the signal that killed it, or
//   1 if it left by status 0 while it was needed (all others are ended within a second);
// - 124 if the time was up;
// - 128 + the number of the signal by which this process was asked to end (SIGINT, SIGTERM, SIGQUIT
//   or, unless it is ignored, SIGHUP), or 141 = 128 + SIGPIPE, without a message, if nobody reads
//   the output any more.
// Returns 1, after a message, if the machine does not let all PEs be started; none is left then.
// Throws argument_error as `check` does, and system_error if not even the memory can be had.
//
// To be called by the main thread of a process. Other children of the process are left alone.
int run_job(const job_options& options, const std::function<int(int rank)>& child);

}  // namespace boxcar::launcher
