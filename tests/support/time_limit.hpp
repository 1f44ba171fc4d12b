// A test that hangs ends its process, rather than the patience of whoever waits for it.
#pragma once

#include <chrono>

namespace boxcar::test {

// How long one world may take, and how long a PE may wait for another; generous, because
// sanitizers and busy machines are slow.
inline constexpr std::chrono::seconds longest_world{200};

// Aborts the process if it exists for longer than this. One at a time.
class time_limit {
 public:
  explicit time_limit(std::chrono::seconds limit);
  time_limit(const time_limit&) = delete;
  time_limit& operator=(const time_limit&) = delete;
  ~time_limit();
};

}  // namespace boxcar::test
