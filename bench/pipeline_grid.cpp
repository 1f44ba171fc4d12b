#include "pipeline_grid.hpp"

#include <algorithm>
#include <stdexcept>

namespace boxcar::bench {
namespace {

std::uint64_t columns_of(const setting& s) {
  return s.scaling == "weak" ? s.columns * static_cast<std::uint64_t>(s.pes) : s.columns;
}

}  // namespace

pipeline_grid::pipeline_grid(const world& w, const setting& s)
    : pes_(w.size()), rank_(w.rank()), rows_(s.items), columns_(columns_of(s)) {
  const auto pes = static_cast<std::uint64_t>(pes_);
  const auto rank = static_cast<std::uint64_t>(rank_);
  // The first PEs have an extra column. PE 0 has two or more: the changing A(0, 0) must be its own.
  const std::uint64_t each = columns_ / pes;
  const std::uint64_t more = columns_ % pes;
  first_column_ = rank * each + std::min(rank, more);
  width_ = each + (rank < more ? 1 : 0);
  if (rank > 0) {
    --first_column_;
    ++width_;
  }
  if (width_ > values_.max_size() / rows_) throw std::length_error("the grid is too large");
  values_.reserve(rows_ * width_);
}

double pipeline_grid::compute(std::uint64_t row, double left) {
  double* const now = values_.data() + row * width_;
  const double* const above = now - width_;
  if (rank_ != 0) now[0] = left;
  double value = now[0];
  for (std::uint64_t column = 1; column < width_; ++column) {
    value += above[column] - above[column - 1];  // independent of the value to the left
    now[column] = value;
  }
  sum_ += value;
  return value;
}

void pipeline_grid::clear() {
  values_.assign(rows_ * width_, 0);
  for (std::uint64_t column = 0; column < width_; ++column) {
    values_[column] = static_cast<double>(first_column_ + column);
  }
  if (rank_ == 0) {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      values_[row * width_] = static_cast<double>(row);
    }
  }
  sum_ = 0;
}

void pipeline_grid::check(world&, std::uint64_t sessions) const {
  check_values(sessions, columns_ - 1);
}

void pipeline_grid::check_alone(std::uint64_t sessions) const {
  check_values(sessions, width_ - 1);
}

// After `sessions` sessions A(i, j) = i + j + (sessions - 1) (last row + last column). The Parallel
// Research Kernels check the last value only; but a late value from the PE before is wrong in one
// row, and cancels in the next, so that the last value is right. The error of an earlier session
// shows in the sum. All numbers are whole, and exact.
void pipeline_grid::check_values(std::uint64_t sessions, std::uint64_t last_column) const {
  const std::uint64_t growth = rows_ - 1 + last_column;
  const std::uint64_t grown = (sessions - 1) * growth;
  for (std::uint64_t row = 1; row < rows_; ++row) {
    for (std::uint64_t column = 1; column < width_; ++column) {
      const std::uint64_t right = row + first_column_ + column + grown;
      require(values_[row * width_ + column] == static_cast<double>(right),
              "a value of the grid is not what it must be");
    }
  }
  if (rank_ == 0) {
    require(values_[0] == -static_cast<double>(sessions * growth),
            "the last value of the grid was not fed back");
  }
  const std::uint64_t last_here = first_column_ + width_ - 1;
  const std::uint64_t of_first = (rows_ - 1) * rows_ / 2 + (rows_ - 1) * last_here;
  const std::uint64_t of_growth = (rows_ - 1) * growth * (sessions * (sessions - 1) / 2);
  require(sum_ == static_cast<double>(sessions * of_first + of_growth),
          "a row of an earlier session ended in a wrong value");
}

}  // namespace boxcar::bench
