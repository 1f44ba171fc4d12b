// The signals of a launcher. While an object exists, these signals arrive as data of a descriptor,
// for poll, rather than between any two instructions.
#pragma once

#include <optional>
#include <signal.h>

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

class signal_catcher {
 public:
  // Throws system_error.
  signal_catcher();
  signal_catcher(const signal_catcher&) = delete;
  signal_catcher& operator=(const signal_catcher&) = delete;
  ~signal_catcher() { restore(); }

  [[nodiscard]] int descriptor() const { return arrivals_.number(); }
  // Returns the next signal that has arrived, if there is one.
  std::optional<int> next();

  // Restores the former actions of the signals; for a forked child.
  void restore();
  // Stops this process as the terminal's Ctrl-Z would have; returns when the process is continued.
  void stop_here();

 private:
  launcher::descriptor arrivals_;
  sigset_t former_mask_;
  struct sigaction former_child_ {};
  struct sigaction former_pipe_ {};
  struct sigaction former_file_size_ {};
};

}  // namespace boxcar::launcher
