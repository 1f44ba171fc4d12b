// The job of repeated runs of a collective. An item is a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/world.hpp>

#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

[[nodiscard]] std::vector<std::string_view> names_of_collectives();

// The input of each PE, or each block of the input, begins and ends with the number of the run and
// the PE's rank, so that each PE can compute the sum of the ends of the blocks in its output.
class collective_runs : public job, public collective_job {
 public:
  collective_runs(const world& w, const setting& s);

  [[nodiscard]] std::uint64_t items() const override { return runs_; }
  [[nodiscard]] std::size_t item_bytes() const override { return words_ * sizeof(word); }
  collective_job* as_collective() override { return this; }

  [[nodiscard]] std::string_view which() const override { return which_; }
  [[nodiscard]] std::uint64_t runs() const override { return runs_; }
  [[nodiscard]] std::size_t words() const override { return words_; }
  [[nodiscard]] std::size_t given() const override { return words_ * given_blocks_; }
  [[nodiscard]] std::size_t got() const override { return words_ * got_blocks_; }
  // The bytes of the PE with the largest input or output.
  [[nodiscard]] std::size_t most_bytes() const { return words_ * max_blocks_ * sizeof(word); }
  void next(std::span<word> given) override;
  void take(std::span<const word> got) override;

  void clear() override { run_ = sum_ = 0; }
  void check(world& w, std::uint64_t sessions) const override;
  void check_alone(std::uint64_t sessions) const override;

 private:
  std::string which_;
  word rank_;
  word pes_;
  std::uint64_t runs_;  // in a session
  std::size_t words_;   // of a block
  std::size_t given_blocks_ = 0;
  std::size_t got_blocks_ = 0;
  std::size_t max_blocks_ = 0;
  word run_ = 0;
  word sum_ = 0;
};

}  // namespace boxcar::bench
