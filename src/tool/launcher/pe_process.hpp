// A PE of a job, seen from the launcher; or an agent that starts the PEs of another host.
#pragma once

#include <functional>
#include <optional>
#include <sys/types.h>

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

// A child in its own process group, killed when this thread ends.
struct pe_process {
  pid_t pid;
  descriptor standard_output;  // non-blocking ends to read from
  descriptor standard_error;
  std::optional<int> wait_status = std::nullopt;  // the status of waitpid, after the end of the
                                                  // process
  int rank = 0;                                   // in the whole job, which may have other hosts

  [[nodiscard]] bool runs() const { return !wait_status.has_value(); }
  // Signals the process and its descendants, as far as they have stayed in the group.
  void signal_group(int signal) const;
  // Sets `wait_status` if the process has ended.
  void check_end();
  // Kills the process and waits for its end.
  void kill_and_wait();
};

// Starts a child that calls `body` and exits with the result. The child reads from
// `standard_input`, or from nothing if the number is -1. Throws system_error if the machine
// refuses.
pe_process start_pe(const std::function<int()>& body, int standard_input);

}  // namespace boxcar::launcher
