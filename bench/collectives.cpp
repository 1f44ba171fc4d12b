// A collective, started and waited for again and again: over every possible topology, and over the
// automatic choice.
#include "collectives.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/error.hpp>

#include "by_collective.hpp"
#include "collective_runs.hpp"
#include "collective_variants.hpp"

namespace boxcar::bench {
namespace {

using word = collective_job::word;

// PE 0 copies a block.
class copy_of_one final : public contender {
 public:
  copy_of_one(const world& w, collective_runs& all) : all_(all), is_first_(w.rank() == 0) {}
  [[nodiscard]] std::string name() const override { return "limit"; }
  [[nodiscard]] bench::role role() const override { return bench::role::limit; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void run() override {
    if (!is_first_) return;
    const std::size_t words = all_.which() == "barrier" ? 0 : all_.words();
    block_.resize(words);
    copy_.resize(words);
    for (std::uint64_t i = 0; i < all_.runs(); ++i) {
      all_.next(block_);
      std::ranges::copy(block_, copy_.begin());
      all_.take(copy_);
    }
  }

 private:
  collective_runs& all_;
  bool is_first_;
  std::vector<word> block_;
  std::vector<word> copy_;
};

class collectives_benchmark final : public benchmark {
 public:
  collectives_benchmark(world& w, const setting& s)
      : world_(w), job_(w, s), variants_(variants_of_collective(s, job_.most_bytes())) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    std::vector<std::unique_ptr<contender>> all;
    for (const collective_variant& v : variants_) {
      try {
        all.push_back(std::make_unique<by_collective>(world_, job_, v.how, v.name));
      } catch (const argument_error&) {
        if (v.how.over == topology::automatic) throw;
        // The collective does not support the topology.
      }
    }
    return all;
  }
  std::unique_ptr<contender> limit() override {
    return std::make_unique<copy_of_one>(world_, job_);
  }

 private:
  world& world_;
  collective_runs job_;
  std::vector<collective_variant> variants_;
};

}  // namespace

std::unique_ptr<benchmark> make_collectives(world& w, const setting& s) {
  return std::make_unique<collectives_benchmark>(w, s);
}

}  // namespace boxcar::bench
