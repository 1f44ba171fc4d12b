// The random numbers drawn by a PE, or for an object: the same in every run, and independent of the
// numbers of others.
#pragma once

#include <cstdint>
#include <limits>

#include "support/philox.h"

namespace examples {

// A random_stream satisfies std::uniform_random_bit_generator. Each pair of a seed and a number, of
// a PE or an object, has a stream of its own.
class random_stream {
 public:
  using result_type = std::uint64_t;

  random_stream(std::uint64_t seed, int number)
      : stream_(philox_stream_of(seed, static_cast<std::uint64_t>(number))) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return philox_next(&stream_); }

  // Returns a number from 0 to n - 1. Precondition: n is above 0.
  int below(int n) {
    return static_cast<int>(
        philox_below(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>((*this)() >> 32)));
  }
  // Returns a number above 0 and up to 1.
  double uniform() { return static_cast<double>(((*this)() >> 11) + 1) * 0x1p-53; }

 private:
  philox_stream stream_;
};

}  // namespace examples
