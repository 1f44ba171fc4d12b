// A collective, started and waited for again and again: over every possible topology, and over the
// automatic choice.
#include "collectives.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/error.hpp>

#include "by_collective.hpp"
#include "collective_runs.hpp"

namespace boxcar::bench {
namespace {

using word = collective_job::word;

struct variant {
  std::string name;
  collective_options how = {};
};

// Each topology once.
std::vector<variant> few_variants() {
  const std::array<std::pair<topology, const char*>, 11> topologies{{
      {topology::automatic, "automatic"},
      {topology::shared_memory, "shared_memory"},
      {topology::k_ary_tree, "k_ary_tree"},
      {topology::k_nomial_tree, "k_nomial_tree"},
      {topology::chain, "chain"},
      {topology::ring, "ring"},
      {topology::pairwise, "pairwise"},
      {topology::dissemination, "dissemination"},
      {topology::butterfly, "butterfly"},
      {topology::grid, "grid"},
      {topology::circulant, "circulant"},
  }};
  std::vector<variant> all;
  for (const auto& [over, name] : topologies) all.push_back({name, {.over = over}});
  return all;
}

// A tree with fan-outs 2, 4, ... up to the PEs, or a chain; in one piece, and with the least
// fan-out in several pieces. The name gives all of them: "k_ary_tree/2/65536".
std::vector<variant> variants_of_tree(const variant& tree, int pes, std::size_t bytes) {
  constexpr std::array<std::size_t, 2> pieces{64 * 1024, 256 * 1024};
  std::vector<variant> all;
  const auto add = [&](int fan_out, std::size_t piece) {
    variant v = tree;
    v.how.fan_out = fan_out;
    v.how.segment_bytes = piece;
    if (fan_out != 0) v.name.append("/").append(std::to_string(fan_out));
    if (piece != 0) v.name.append("/").append(std::to_string(piece));
    all.push_back(v);
  };
  const bool is_chain = tree.how.over == topology::chain;
  const int least = is_chain ? 0 : 2;
  add(least, 0);
  for (const std::size_t piece : pieces) {
    if (piece < bytes) add(least, piece);
  }
  for (int fan_out = 4; !is_chain && fan_out <= pes; fan_out *= 2) add(fan_out, 0);
  return all;
}

std::vector<variant> variants_for(const setting& s, std::size_t bytes) {
  if (s.variants == "chosen") return {{"automatic"}};
  std::vector<variant> all;
  for (const variant& v : few_variants()) {
    const bool is_tree = v.how.over == topology::k_ary_tree ||
                         v.how.over == topology::k_nomial_tree || v.how.over == topology::chain;
    if (s.variants == "all" && is_tree) {
      const auto more = variants_of_tree(v, s.pes, bytes);
      all.insert(all.end(), more.begin(), more.end());
    } else {
      all.push_back(v);
    }
  }
  return all;
}

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
      : world_(w), job_(w, s), variants_(variants_for(s, job_.most_bytes())) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    std::vector<std::unique_ptr<contender>> all;
    for (const variant& v : variants_) {
      try {
        all.push_back(std::make_unique<by_collective>(world_, job_, v.how, v.name));
      } catch (const argument_error&) {
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
  std::vector<variant> variants_;
};

}  // namespace

std::unique_ptr<benchmark> make_collectives(world& w, const setting& s) {
  return std::make_unique<collectives_benchmark>(w, s);
}

}  // namespace boxcar::bench
