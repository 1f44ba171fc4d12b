// A computation of any length that uses nothing but the core: no memory, no library.
#pragma once

#include <cstdint>

namespace boxcar::bench {

class computation {
 public:
  // Every step needs the one before, so that they take the same time each.
  void run(std::uint64_t steps) {
    std::uint64_t x = result_;
    for (std::uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    result_ = x;
  }

 private:
  volatile std::uint64_t result_ = 1;  // or all that leads to it would be left out
};

}  // namespace boxcar::bench
