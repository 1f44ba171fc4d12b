// Runs of a collective, with a computation of the PE during each run.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "collective_runs.hpp"
#include "computation.hpp"
#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// All PEs begin a run together, and its time ends on each PE when the PE has its output; nothing
// between two runs is timed.
class overlap_runs final : public collective_runs, public overlap_job {
 public:
  overlap_runs(world& w, const setting& s) : collective_runs(w, s), world_(w) {
    seconds_.reserve(runs());  // not while a clock runs
  }

  overlap_job* as_overlap() override { return this; }
  [[nodiscard]] std::uint64_t runs() const override { return collective_runs::runs(); }

  // Collective.
  void next(std::span<word> given) override;
  void compute() override { work_.run(steps_); }
  void take(std::span<const word> got) override;
  void clear() override;

  void set_steps(std::uint64_t steps) override { steps_ = steps; }
  void compute_alone() override;
  [[nodiscard]] double seconds() const override;

 private:
  void start_clock();
  void stop_clock();

  world& world_;
  computation work_;
  std::uint64_t steps_ = 0;
  std::chrono::nanoseconds start_{};
  std::vector<double> seconds_;  // of each run since `clear`
};

}  // namespace boxcar::bench
