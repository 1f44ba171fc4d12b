// Tests of order statistics and means, by values computed by hand.
#include "support/sample_statistics.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace examples::test {
namespace {

TEST(sample_statistics, of_one_value) {
  const sample_statistics s({3});
  EXPECT_EQ(s.min, 3);
  EXPECT_EQ(s.first_quartile, 3);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.third_quartile, 3);
  EXPECT_EQ(s.max, 3);
  EXPECT_EQ(s.mean, 3);
  EXPECT_EQ(s.deviation, 0);
}

TEST(sample_statistics, takes_the_mean_between_two_values) {
  const sample_statistics s({8, 1, 4, 2});
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.first_quartile, 1.5);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.third_quartile, 6);
  EXPECT_EQ(s.max, 8);
  EXPECT_EQ(s.mean, 3.75);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(28.75 / 3));
}

TEST(sample_statistics, takes_a_value_that_is_a_quartile) {
  const sample_statistics s({5, 4, 3, 2, 1});
  EXPECT_EQ(s.first_quartile, 2);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.third_quartile, 4);
}

TEST(harmonic_statistics, of_rates) {
  const harmonic_statistics h({1, 0.5});
  EXPECT_DOUBLE_EQ(h.mean, 1 / 1.5);
  // The inverse rates are 1 and 2, with the deviation sqrt(1 / 2).
  EXPECT_DOUBLE_EQ(h.error, std::sqrt(0.5) / (1.5 * 1.5));
  EXPECT_EQ(harmonic_statistics({7}).error, 0);
}

}  // namespace
}  // namespace examples::test
