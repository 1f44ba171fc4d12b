// Tests that division by multiplication is exact for every number that can occur.
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <boxcar/detail/steps.hpp>

#include "support/dice.hpp"

namespace boxcar::test::fixed_divisor_test {
namespace {

using detail::fixed_divisor;

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();

// Checks beside the multiples of the divisor, where an inexact quotient would be wrong first.
void check_beside(std::uint32_t d, std::uint64_t multiple) {
  const fixed_divisor by(d);
  for (const std::uint64_t n : {multiple - 1, multiple, multiple + 1}) {
    if (n > largest) continue;  // also numbers below 0
    const auto number = static_cast<std::uint32_t>(n);
    ASSERT_EQ(by.quotient(number), number / d) << number << " / " << d;
  }
}

void check_divisor(std::uint32_t d, dice& random) {
  const std::uint32_t multiples = largest / d;
  for (const std::uint32_t k : {0U, 1U, 2U, multiples / 2, multiples - 1, multiples}) {
    check_beside(d, std::uint64_t{k} * d);
  }
  for (int i = 0; i < 50; ++i) {
    check_beside(d, random.next() % (std::uint64_t{multiples} + 1) * d);
  }
  check_beside(d, largest);
}

TEST(fixed_divisor, is_exact_for_every_small_divisor) {
  dice random(program_seed(1));
  for (std::uint32_t d = 1; d <= 40000; ++d) {
    check_divisor(d, random);
    if (HasFatalFailure()) return;
  }
}

TEST(fixed_divisor, is_exact_for_powers_of_two_and_their_neighbours) {
  dice random(program_seed(2));
  for (std::uint32_t power = 2; power != 0; power *= 2) {
    for (const std::uint32_t d : {power - 1, power, power + 1}) check_divisor(d, random);
    if (HasFatalFailure()) return;
  }
}

TEST(fixed_divisor, is_exact_for_random_and_the_largest_divisors) {
  dice random(program_seed(3));
  for (int i = 0; i < 40000; ++i) {
    const auto d = static_cast<std::uint32_t>(random.next() >> random.pick({32, 36, 40, 48}));
    if (d != 0) check_divisor(d, random);
    if (HasFatalFailure()) return;
  }
  for (std::uint32_t d = largest; d > largest - 1000; --d) check_divisor(d, random);
}

TEST(fixed_divisor, is_exact_for_every_number_of_a_world) {
  for (std::uint32_t d = 1; d <= 300; ++d) {
    const fixed_divisor by(d);
    for (std::uint32_t n = 0; n < 33000; ++n) ASSERT_EQ(by.quotient(n), n / d) << n << " / " << d;
  }
}

TEST(fixed_divisor, divides_by_one_unless_told_otherwise) {
  for (const std::uint32_t n : {0U, 1U, 77U, largest - 1, largest}) {
    EXPECT_EQ(fixed_divisor().quotient(n), n);
  }
}

}  // namespace
}  // namespace boxcar::test::fixed_divisor_test
