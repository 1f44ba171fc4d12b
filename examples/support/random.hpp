// Random-looking numbers that are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace examples {

// Spreads a number over all 64 bits, one to one (the last steps of the SplitMix64 generator).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Returns `n` numbers below `bound`; other numbers for another seed.
inline std::vector<std::uint64_t> random_numbers(std::size_t n, std::uint64_t bound, int seed) {
  std::vector<std::uint64_t> numbers(n);
  std::uint64_t state = mix(static_cast<std::uint64_t>(seed));
  for (std::uint64_t& number : numbers) number = mix(state++) % bound;
  return numbers;
}

}  // namespace examples
