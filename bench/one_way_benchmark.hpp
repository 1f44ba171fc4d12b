// A benchmark whose job is to send items one way.
#pragma once

#include <memory>
#include <vector>

#include "benchmark.hpp"
#include "one_way_limit.hpp"
#include "one_way_loops.hpp"

namespace boxcar::bench {

template <typename Job>
class one_way_benchmark : public benchmark {
 public:
  one_way_benchmark(world& w, const setting& s) : world_(w), setting_(s), job_(w, s) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    return one_way_forms(world_, setting_, job_);
  }
  std::unique_ptr<contender> limit() override {
    return std::make_unique<one_way_limit<Job>>(world_, setting_, job_, job_);
  }

 protected:
  world& world_;
  setting setting_;
  Job job_;
};

template <typename Job>
std::unique_ptr<benchmark> make_one_way(world& w, const setting& s) {
  return std::make_unique<one_way_benchmark<Job>>(w, s);
}

}  // namespace boxcar::bench
