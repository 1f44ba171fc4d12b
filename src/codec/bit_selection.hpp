// Selections of bits of a word: gathers the bits at the low end of a word, and scatters them back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/words.hpp"

namespace boxcar::detail {

// Selects adjacent bits, the varying bits of integers with constant high bits.
class adjacent_bits {
 public:
  static bool describes(std::uint64_t mask) {
    return mask != 0 && std::popcount(mask) == 64 - std::countl_zero(mask) - std::countr_zero(mask);
  }
  // Precondition: describes(mask).
  explicit adjacent_bits(std::uint64_t mask)
      : shift_(static_cast<unsigned>(std::countr_zero(mask))), low_(mask >> shift_) {}

  [[nodiscard]] std::uint64_t gather(std::uint64_t word) const { return word >> shift_ & low_; }
  [[nodiscard]] std::uint64_t scatter(std::uint64_t bits) const { return (bits & low_) << shift_; }

 private:
  unsigned shift_;
  std::uint64_t low_;
};

// Selects any bits. Each bit moves to the right by the number of unwanted bits on its right; the
// binary digits of these numbers determine the bits that move together by 1, 2, 4, ... 32
// positions.
class scattered_bits {
 public:
  explicit scattered_bits(std::uint64_t mask) : mask_(mask) {
    std::uint64_t unwanted = ~mask << 1;  // the bits with an unwanted bit just on the right
    for (std::size_t i = 0; i < steps; ++i) {
      const std::uint64_t odd = parity_of_bits_up_to(unwanted);
      moves_[i] = odd & mask;
      mask = (mask ^ moves_[i]) | (moves_[i] >> distance(i));
      unwanted &= ~odd;
    }
  }

  [[nodiscard]] std::uint64_t gather(std::uint64_t word) const {
    word &= mask_;
    for (std::size_t i = 0; i < steps; ++i) {
      const std::uint64_t moving = word & moves_[i];
      word = (word ^ moving) | (moving >> distance(i));
    }
    return word;
  }

  // Ignores the bits above the gathered bits.
  [[nodiscard]] std::uint64_t scatter(std::uint64_t bits) const {
    for (std::size_t i = steps; i-- > 0;) {
      bits = (bits & ~moves_[i]) | (bits << distance(i) & moves_[i]);
    }
    return bits & mask_;
  }

 private:
  static constexpr std::size_t steps = 6;

  static constexpr unsigned distance(std::size_t step) { return 1u << step; }
  // Returns in bit i whether the number of ones among the bits 0 to i is odd.
  static std::uint64_t parity_of_bits_up_to(std::uint64_t word) {
    for (std::size_t i = 0; i < steps; ++i) word ^= word << distance(i);
    return word;
  }

  std::uint64_t mask_;
  std::array<std::uint64_t, steps> moves_;
};

}  // namespace boxcar::detail
