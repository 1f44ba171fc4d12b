// The random numbers of the NAS Parallel Benchmarks (randlc): x becomes a x modulo 2^46. Any part
// of the sequence can be had at once.
#pragma once

#include <cstdint>

namespace boxcar::bench {

class nas_random {
 public:
  static constexpr int bits = 46;

  // The next number is number `n` of the sequence, from 0 on.
  explicit nas_random(std::uint64_t n) {
    for (std::uint64_t power = multiplier; n != 0; n >>= 1) {
      if (n & 1) number_ = product(number_, power);
      power = product(power, power);
    }
  }
  // Returns a number, to be divided by 2^46.
  std::uint64_t next() { return number_ = product(number_, multiplier); }

 private:
  static constexpr std::uint64_t multiplier = 1220703125;
  static constexpr std::uint64_t seed = 314159265;

  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return a * b & ((std::uint64_t{1} << bits) - 1);
  }

  std::uint64_t number_ = seed;
};

}  // namespace boxcar::bench
