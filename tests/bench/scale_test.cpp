// Tests that numbers lie in the right places along an axis, and that ticks are round numbers.
#include "scale.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace boxcar::bench::scale_test {
namespace {

using numbers = std::vector<double>;

TEST(scale, is_linear) {
  const scale s = scale::linear(0, 100);
  EXPECT_EQ(s.ticks(), (numbers{0, 20, 40, 60, 80, 100}));
  EXPECT_DOUBLE_EQ(s.at(0), 0);
  EXPECT_DOUBLE_EQ(s.at(25), 0.25);
  EXPECT_DOUBLE_EQ(s.at(100), 1);
}

TEST(scale, by_tens_reaches_from_one_round_number_to_another) {
  const scale narrow = scale::by_tens(3, 17);
  EXPECT_EQ(narrow.ticks(), (numbers{2, 5, 10, 20}));
  EXPECT_DOUBLE_EQ(narrow.at(2), 0);
  EXPECT_DOUBLE_EQ(narrow.at(20), 1);
  const scale exact = scale::by_tens(0.1, 10);
  EXPECT_EQ(exact.ticks(), (numbers{0.1, 0.2, 0.5, 1, 2, 5, 10}));
  EXPECT_DOUBLE_EQ(exact.at(1), 0.5);
  const scale wide = scale::by_tens(0.3, 40'000);
  EXPECT_EQ(wide.ticks(), (numbers{1, 10, 100, 1000, 10'000})) << "there is no room for more";
  EXPECT_DOUBLE_EQ(wide.at(0.2), 0);
  EXPECT_DOUBLE_EQ(wide.at(50'000), 1);
}

TEST(scale, by_twos_reaches_from_one_power_to_another) {
  const scale s = scale::by_twos(8, 60);
  EXPECT_EQ(s.ticks(), (numbers{8, 16, 32, 64}));
  EXPECT_DOUBLE_EQ(s.at(8), 0);
  EXPECT_DOUBLE_EQ(s.at(16), 1.0 / 3);
  EXPECT_DOUBLE_EQ(s.at(64), 1);
  const scale wide = scale::by_twos(8, 4'194'304);
  EXPECT_LE(wide.ticks().size(), 8U);
  EXPECT_DOUBLE_EQ(wide.at(8), 0);
  EXPECT_DOUBLE_EQ(wide.at(4'194'304), 1);
}

TEST(scale, has_one_number_in_the_middle) {
  EXPECT_DOUBLE_EQ(scale::by_twos(64, 64).at(64), 0.5);
  EXPECT_EQ(scale::by_twos(64, 64).ticks(), (numbers{32, 64, 128}));
  EXPECT_EQ(scale::by_tens(1, 1).ticks(), (numbers{0.5, 1, 2}));
}

}  // namespace
}  // namespace boxcar::bench::scale_test
