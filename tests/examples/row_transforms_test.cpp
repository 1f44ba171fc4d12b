// Tests of the transforms of rows, against values that are known.
#include "support/row_transforms.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

namespace examples::test::row_transforms_test {
namespace {

using number = std::complex<double>;

void expect_near(const std::vector<number>& found, const std::vector<number>& right) {
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_NEAR(std::abs(found[i] - right[i]), 0, 1e-12) << "element " << i;
  }
}

// Row r is a wave of r periods, whose transform is one peak.
TEST(row_transforms, find_the_wave_in_each_row) {
  constexpr std::size_t rows = 3;
  constexpr std::size_t length = 6;
  std::vector<number> matrix(rows * length);
  std::vector<number> peaks(matrix.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < length; ++i) {
      const double turns = static_cast<double>(r * i) / length;
      matrix[r * length + i] = std::polar(1.0, 2 * std::numbers::pi * turns);
    }
    peaks[r * length + r] = length;
  }
  row_transforms(matrix, length, direction::forward).execute();
  expect_near(matrix, peaks);
}

TEST(row_transforms, lead_back_but_for_the_scale) {
  std::vector<number> matrix{{1, 2}, {3, -4}, {0, 0.5}, {-7, 0}};
  const std::vector<number> twice{{2, 4}, {6, -8}, {0, 1}, {-14, 0}};
  row_transforms(matrix, 2, direction::forward).execute();
  row_transforms(matrix, 2, direction::backward).execute();
  expect_near(matrix, twice);
}

TEST(row_transforms, do_nothing_without_rows) {
  std::vector<number> matrix;
  row_transforms(matrix, 5, direction::forward).execute();
  EXPECT_TRUE(matrix.empty());
}

}  // namespace
}  // namespace examples::test::row_transforms_test
