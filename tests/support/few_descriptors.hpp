// Lets the process open few more files than it has open.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

namespace boxcar::test {

class few_descriptors {
 public:
  explicit few_descriptors(int more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    int number = 0;
    for (; more > 0 || fcntl(number, F_GETFD) >= 0; ++number) {
      if (fcntl(number, F_GETFD) < 0) --more;
    }
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(number);
    setrlimit(RLIMIT_NOFILE, &now);
  }
  few_descriptors(const few_descriptors&) = delete;
  few_descriptors& operator=(const few_descriptors&) = delete;
  ~few_descriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace boxcar::test
