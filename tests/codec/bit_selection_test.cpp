// Tests of bit extraction and deposit in words, against bit by bit code.
#include "codec/bit_selection.hpp"

#include <bit>
#include <cstdint>
#include <gtest/gtest.h>

#include "support/dice.hpp"

namespace boxcar::test::bit_selection_test {
namespace {

using detail::adjacent_bits;
using detail::scattered_bits;

std::uint64_t gather_one_by_one(std::uint64_t word, std::uint64_t mask) {
  std::uint64_t taken = 0;
  int count = 0;
  for (int bit = 0; bit < 64; ++bit) {
    if ((mask >> bit & 1) != 0) taken |= (word >> bit & 1) << count++;
  }
  return taken;
}

template <typename Selection>
void expect_right_selection(std::uint64_t mask, dice& d) {
  const Selection select(mask);
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t word = d.next();
    const std::uint64_t taken = gather_one_by_one(word, mask);
    ASSERT_EQ(select.gather(word), taken) << std::hex << mask;
    ASSERT_EQ(select.scatter(taken), word & mask) << std::hex << mask;
    // Bits above the extracted bits do not matter.
    const int bits = std::popcount(mask);
    if (bits == 64) continue;
    ASSERT_EQ(select.scatter(taken | d.next() << bits), word & mask) << std::hex << mask;
  }
}

TEST(adjacent_bits, are_selected_right) {
  dice d(1);
  for (int first = 0; first < 64; ++first) {
    for (int end = first + 1; end <= 64; ++end) {
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (end - first)) << first;
      ASSERT_TRUE(adjacent_bits::describes(mask));
      expect_right_selection<adjacent_bits>(mask, d);
      expect_right_selection<scattered_bits>(mask, d);
    }
  }
}

TEST(adjacent_bits, describe_nothing_else) {
  EXPECT_FALSE(adjacent_bits::describes(0));
  EXPECT_FALSE(adjacent_bits::describes(0b101));
  EXPECT_FALSE(adjacent_bits::describes(0x8000000000000001));
}

TEST(scattered_bits, are_selected_right) {
  dice d(2);
  for (int i = 0; i < 20000; ++i) {
    // Sparse, even and dense masks.
    std::uint64_t mask = d.next();
    for (int k = d.below(4); k > 0; --k) mask &= d.next();
    for (int k = d.below(4); k > 0; --k) mask |= d.next();
    expect_right_selection<scattered_bits>(mask, d);
  }
  expect_right_selection<scattered_bits>(0, d);
}

}  // namespace
}  // namespace boxcar::test::bit_selection_test
