// While one exists, this process may open more files at once.
#pragma once

#include <algorithm>
#include <sys/resource.h>

namespace boxcar::launcher {

class open_file_limit {
 public:
  // Room for this many, if the hard limit permits it.
  explicit open_file_limit(rlim_t files) {
    getrlimit(RLIMIT_NOFILE, &former_);
    rlimit raised = former_;
    raised.rlim_cur = std::min(former_.rlim_max, std::max(former_.rlim_cur, files));
    setrlimit(RLIMIT_NOFILE, &raised);
  }
  open_file_limit(const open_file_limit&) = delete;
  open_file_limit& operator=(const open_file_limit&) = delete;
  ~open_file_limit() { restore(); }

  // Also for a forked child, which may depend on the limit that it is used to.
  void restore() const { setrlimit(RLIMIT_NOFILE, &former_); }

 private:
  rlimit former_{};
};

}  // namespace boxcar::launcher
