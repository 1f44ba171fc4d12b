// A flag that PEs raise and see without a call of Boxcar. Made before the world is started.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "support/shared_array.hpp"

namespace boxcar::test {

class shared_flag {
 public:
  void raise() { raised_[0] = true; }
  [[nodiscard]] bool is_raised() { return raised_[0]; }
  // Returns false if the flag has not been raised after a minute. (Where PEs are fibers of one
  // thread, no other PE runs meanwhile.)
  [[nodiscard]] bool await() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!raised_[0] && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return raised_[0];
  }

 private:
  shared_array<std::atomic<bool>> raised_{1};
};

}  // namespace boxcar::test
