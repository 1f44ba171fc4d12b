// A hash function, and random numbers, that are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/random_stream.hpp"

namespace examples {

// Spreads a number over all 64 bits, one to one (the last steps of the SplitMix64 generator).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Returns the first `n` numbers that a PE draws, all below `bound`.
inline std::vector<std::uint64_t> random_numbers(std::size_t n, std::uint64_t bound, int pe) {
  constexpr std::uint64_t seed = 1;
  std::vector<std::uint64_t> numbers(n);
  random_stream random(seed, pe);
  for (std::uint64_t& number : numbers) number = random() % bound;
  return numbers;
}

}  // namespace examples
