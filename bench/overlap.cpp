// Overlap: a collective is started, the PE computes for as long as the collective alone takes, and
// waits for the collective. The result is the hidden share. The method of NBCBench (offloaded-
// collectives-2013, section V) and of IMB-NBC.
#include "overlap.hpp"

#include <memory>
#include <vector>

#include <boxcar/collective.hpp>

#include "by_collective.hpp"
#include "overlap_runs.hpp"

namespace boxcar::bench {
namespace {

class overlap_benchmark final : public benchmark {
 public:
  overlap_benchmark(world& w, const setting& s) : world_(w), job_(w, s) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    std::vector<std::unique_ptr<contender>> all;
    all.push_back(std::make_unique<by_collective>(world_, job_, collective_options{}, "automatic"));
    return all;
  }

 private:
  world& world_;
  overlap_runs job_;
};

}  // namespace

std::unique_ptr<benchmark> make_overlap(world& w, const setting& s) {
  return std::make_unique<overlap_benchmark>(w, s);
}

}  // namespace boxcar::bench
