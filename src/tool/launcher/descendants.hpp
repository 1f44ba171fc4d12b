// The processes started by this process, directly or indirectly.
#pragma once

#include <functional>
#include <set>
#include <sys/types.h>

namespace boxcar::launcher {

// While an object exists, processes whose parent ends become children of this process instead of
// escaping. Earlier children are left alone.
class descendants {
 public:
  descendants();
  descendants(const descendants&) = delete;
  descendants& operator=(const descendants&) = delete;
  ~descendants();

  // Waits for ended adopted children, so that no zombies stay. The caller has to wait for children
  // with `is_own`.
  void bury_adopted(const std::function<bool(pid_t)>& is_own) const;

  [[nodiscard]] std::set<pid_t> all() const;

 private:
  void bury_each(const std::function<bool(pid_t)>& is_own) const;

  int was_reaper_ = 0;
  std::set<pid_t> foreign_;  // earlier children
};

}  // namespace boxcar::launcher
