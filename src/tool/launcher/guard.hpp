// A launcher that is killed outright cannot end its PEs any more, and what these have started, say
// through a shell script, would go on. So it does its work in a second process, which ends
// everything in an orderly way when the first one is gone. If the second one is killed, the first
// one does. If both are, the PEs themselves still die with them.
#pragma once

#include <functional>
#include <poll.h>
#include <vector>

namespace boxcar::launcher {

// What the first process does while the second one is there.
class side_work {
 public:
  virtual ~side_work() = default;
  // Adds what poll is to wait for.
  virtual void watch(std::vector<pollfd>& sources) const = 0;
  // For so many milliseconds at most, or -1.
  [[nodiscard]] virtual int patience() const = 0;
  // When there may be something to do.
  virtual void turn() = 0;
};

// Calls `body` in a second process and returns what it returned there, or 1 after printing what it
// has thrown. Signals that ask this process to end are passed on. To be called by the only thread
// of a process without children. Throws system_error.
int run_guarded(const std::function<int()>& body, side_work* beside = nullptr);

}  // namespace boxcar::launcher
