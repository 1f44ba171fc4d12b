// A computation of any length that uses nothing but the core: no memory, no library.
#pragma once

#include <cstdint>

namespace boxcar::bench {

class computation {
 public:
  // Every step depends on the step before, so that all steps take the same time.
  void run(std::uint64_t steps) {
    std::uint64_t x = result_;
    for (std::uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    result_ = x;
  }

 private:
  volatile std::uint64_t result_ = 1;  // volatile, so that the computation is not optimised away
};

}  // namespace boxcar::bench
