// A function that mixes the bits of a number, for hashes and for random numbers.
#pragma once

#include <cstdint>

namespace boxcar::detail {

// Returns a number whose bits all depend on all bits of `x`; a bijection. Source: the finaliser of
// the generator SplitMix64 (Steele, Lea and Flood, 2014; variant 13 of D. Stafford).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The increment of the state of SplitMix64: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15;

}  // namespace boxcar::detail
