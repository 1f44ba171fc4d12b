// One PE of a job, seen from the launcher; or what starts those of another host.
#pragma once

#include <functional>
#include <optional>
#include <sys/types.h>

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

// A child in a process group of its own, which is killed when this thread ends.
struct pe_process {
  pid_t pid;
  descriptor standard_output;  // the ends to read from, which do not block
  descriptor standard_error;
  std::optional<int> wait_status = std::nullopt;  // as waitpid gave it, when it has ended
  int rank = 0;                                   // in the whole job, which may have other hosts

  [[nodiscard]] bool runs() const { return !wait_status.has_value(); }
  // Also to what it has started, as far as that has stayed in its group.
  void signal_group(int signal) const;
  // Sets `wait_status` if it has ended.
  void check_end();
  // Ends it without asking.
  void kill_and_wait();
};

// The child calls `body`, whose result is its exit status. It reads from this descriptor, or from
// nothing if that is -1. Throws system_error if the machine refuses.
pe_process start_pe(const std::function<int()>& body, int standard_input);

}  // namespace boxcar::launcher
