// The job of Synch_p2p of the Parallel Research Kernels: A(i, j) = A(i-1, j) + A(i, j-1) - A(i-1,
// j-1) for the rows i and columns j of a grid, from its top and left edge, where A(0, j) = j and
// A(i, 0) = i. The last value, negated, becomes A(0, 0) for the next time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boxcar/world.hpp>

#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// Each PE has some columns. A session is once through the grid, an item a row: of n rows the first
// is given, so that n - 1 are computed.
class pipeline_grid final : public job, public pipeline_job {
 public:
  pipeline_grid(const world& w, const setting& s);

  [[nodiscard]] std::uint64_t items() const override { return rows_ - 1; }
  [[nodiscard]] std::size_t item_bytes() const override { return sizeof(double); }
  pipeline_job* as_pipeline() override { return this; }

  [[nodiscard]] bool is_first() const override { return rank_ == 0; }
  [[nodiscard]] bool is_last() const override { return rank_ == pes_ - 1; }
  [[nodiscard]] int next_pe() const override { return (rank_ + 1) % pes_; }
  [[nodiscard]] int pe_before() const override { return (rank_ + pes_ - 1) % pes_; }
  [[nodiscard]] std::uint64_t rows() const override { return rows_; }
  double compute(std::uint64_t row, double left) override;
  void feed_back(double corner) override { values_[0] = -corner; }

  void clear() override;
  void check(world& w, std::uint64_t sessions) const override;
  void check_alone(std::uint64_t sessions) const override;

 private:
  void check_values(std::uint64_t sessions, std::uint64_t last_column) const;

  int pes_;
  int rank_;
  std::uint64_t rows_;
  std::uint64_t columns_;  // of all PEs
  // The columns of the PE, with the last column of the PE before in front.
  std::uint64_t first_column_;
  std::uint64_t width_;
  std::vector<double> values_;  // row by row
  double sum_ = 0;              // of the last values of all rows, in all sessions
};

}  // namespace boxcar::bench
