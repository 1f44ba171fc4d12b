// Tests of order statistics and means, by values computed by hand.
#include "support/sample_statistics.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace examples::test::sample_statistics_test {
namespace {

// `right`: the minimum, the quartiles and the maximum.
void expect_order(const sample_statistics& s, const std::array<double, 5>& right) {
  EXPECT_EQ((std::array{s.min, s.first_quartile, s.median, s.third_quartile, s.max}), right);
}

TEST(sample_statistics, of_one_value) {
  const sample_statistics s({3});
  expect_order(s, {3, 3, 3, 3, 3});
  EXPECT_EQ(s.mean, 3);
  EXPECT_EQ(s.deviation, 0);
}

TEST(sample_statistics, takes_the_mean_between_two_values) {
  const sample_statistics s({8, 1, 4, 2});
  expect_order(s, {1, 1.5, 3, 6, 8});
  EXPECT_EQ(s.mean, 3.75);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(28.75 / 3));
}

TEST(sample_statistics, takes_a_value_that_is_a_quartile) {
  const sample_statistics s({5, 4, 3, 2, 1});
  expect_order(s, {1, 2, 3, 4, 5});
}

TEST(harmonic_statistics, of_rates) {
  const harmonic_statistics h({1, 0.5});
  EXPECT_DOUBLE_EQ(h.mean, 1 / 1.5);
  // The inverse rates are 1 and 2, with the deviation sqrt(1 / 2).
  EXPECT_DOUBLE_EQ(h.error, std::sqrt(0.5) / (1.5 * 1.5));
  EXPECT_EQ(harmonic_statistics({7}).error, 0);
}

}  // namespace
}  // namespace examples::test::sample_statistics_test
