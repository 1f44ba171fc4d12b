// The guard of a launcher. A killed launcher cannot end its PEs any more, and processes started by
// the PEs, say through a shell script, would go on. So the launcher works in a second process,
// which ends all processes in an orderly way when the first process is gone. If the second process
// is killed, the first process ends all processes. If both are killed, the PEs themselves still die
// with them.
#pragma once

#include <functional>
#include <poll.h>
#include <vector>

namespace boxcar::launcher {

// The work of the first process while the second process runs.
class side_work {
 public:
  virtual ~side_work() = default;
  // Adds the descriptors for poll.
  virtual void watch(std::vector<pollfd>& sources) const = 0;
  // Returns the timeout of poll in milliseconds, or -1.
  [[nodiscard]] virtual int patience() const = 0;
  // Called when there may be work.
  virtual void turn() = 0;
};

// Calls `body` in a second process and returns its result, or 1 after printing its exception. The
// function passes signals that ask this process to end on to the second process. Precondition: the
// caller is the only thread of a process without children. Throws system_error.
int run_guarded(const std::function<int()>& body, side_work* beside = nullptr);

}  // namespace boxcar::launcher
