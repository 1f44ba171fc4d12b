// The limit of open files: while an object exists, this process may open more files.
#pragma once

#include <algorithm>
#include <sys/resource.h>

namespace boxcar::launcher {

class open_file_limit {
 public:
  // Allows `files` open files, if the hard limit permits.
  explicit open_file_limit(rlim_t files) {
    getrlimit(RLIMIT_NOFILE, &former_);
    rlimit raised = former_;
    raised.rlim_cur = std::min(former_.rlim_max, std::max(former_.rlim_cur, files));
    setrlimit(RLIMIT_NOFILE, &raised);
  }
  open_file_limit(const open_file_limit&) = delete;
  open_file_limit& operator=(const open_file_limit&) = delete;
  ~open_file_limit() { restore(); }

  // Restores the former limit; also for a forked child, which may depend on its usual limit.
  void restore() const { setrlimit(RLIMIT_NOFILE, &former_); }

 private:
  rlimit former_{};
};

}  // namespace boxcar::launcher
