// The time after which PEs that wait for one another for ever are stalled, in a test.
#pragma once

#include <cstdlib>

namespace boxcar::test {

class stall_time {
 public:
  stall_time() { setenv("BOXCAR_STALL_SECONDS", "0.05", 1); }
  stall_time(const stall_time&) = delete;
  stall_time& operator=(const stall_time&) = delete;
  ~stall_time() { unsetenv("BOXCAR_STALL_SECONDS"); }
};

}  // namespace boxcar::test
