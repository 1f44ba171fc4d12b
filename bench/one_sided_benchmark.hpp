// A benchmark whose job is done by one-sided operations, by several forms.
#pragma once

#include <memory>
#include <vector>

#include "benchmark.hpp"

namespace boxcar::bench {

// The contenders and the limit are made of the world and the job.
template <typename Job, typename Limit, typename... Contenders>
class one_sided_benchmark final : public benchmark {
 public:
  one_sided_benchmark(world& w, const setting& s) : world_(w), job_(w, s) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    std::vector<std::unique_ptr<contender>> all;
    (all.push_back(std::make_unique<Contenders>(world_, job_)), ...);
    return all;
  }
  std::unique_ptr<contender> limit() override { return std::make_unique<Limit>(world_, job_); }

 private:
  world& world_;
  Job job_;
};

}  // namespace boxcar::bench
