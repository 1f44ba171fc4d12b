// A random-looking permutation of the numbers below n, with random access to its elements.
#pragma once

#include <bit>
#include <cstdint>

#include "support/random.hpp"

namespace boxcar::bench {

class random_permutation {
 public:
  explicit random_permutation(std::uint64_t n)
      : n_(n), half_bits_((static_cast<unsigned>(std::bit_width(n)) + 1) / 2) {}

  // Returns the element at i, which is below n. A Feistel network permutes the numbers of an even
  // number of bits; it is applied until the number is below n.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    do {
      i = permuted_bits(i);
    } while (i >= n_);
    return i;
  }

 private:
  [[nodiscard]] std::uint64_t permuted_bits(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t high = i >> half_bits_;
    std::uint64_t low = i & mask;
    constexpr std::uint64_t rounds = 4;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t next = high ^ (examples::mix(low * rounds + round) & mask);
      high = low;
      low = next;
    }
    return high << half_bits_ | low;
  }

  std::uint64_t n_;
  unsigned half_bits_;
};

}  // namespace boxcar::bench
