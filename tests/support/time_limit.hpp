// A time limit on tests: a test that hangs ends its process.
#pragma once

#include <chrono>

namespace boxcar::test {

// The time limit for a world, and for the wait of a PE for another; generous, because sanitizers
// and busy machines are slow.
inline constexpr std::chrono::seconds max_world{200};

// Aborts the process if the object exists for longer than the limit. One object at a time.
class time_limit {
 public:
  explicit time_limit(std::chrono::seconds limit);
  time_limit(const time_limit&) = delete;
  time_limit& operator=(const time_limit&) = delete;
  ~time_limit();
};

}  // namespace boxcar::test
