// The processes that this one has started, directly or not.
#pragma once

#include <functional>
#include <set>
#include <sys/types.h>

namespace boxcar::launcher {

// While one exists, processes whose parent ends become children of this process instead of
// escaping. Those that there were before are left alone.
class descendants {
 public:
  descendants();
  descendants(const descendants&) = delete;
  descendants& operator=(const descendants&) = delete;
  ~descendants();

  // Waits for adopted children that have ended, so that they vanish. Those for which `is_own`
  // holds are the caller's to wait for.
  void bury_adopted(const std::function<bool(pid_t)>& is_own) const;

  [[nodiscard]] std::set<pid_t> all() const;

 private:
  void bury_each(const std::function<bool(pid_t)>& is_own) const;

  int was_reaper_ = 0;
  std::set<pid_t> foreign_;  // children from before
};

}  // namespace boxcar::launcher
