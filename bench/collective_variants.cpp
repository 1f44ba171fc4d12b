#include "collective_variants.hpp"

#include <array>
#include <utility>

namespace boxcar::bench {
namespace {

// Each topology once.
std::vector<collective_variant> few_variants() {
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
  std::vector<collective_variant> all;
  for (const auto& [over, name] : topologies) all.push_back({name, {.over = over}});
  return all;
}

// A tree with fan-outs 2, 4, ... up to the PEs, or a chain; in one piece, and with the least
// fan-out in several pieces. The name gives all of them: "k_ary_tree/2/65536".
std::vector<collective_variant> variants_of_tree(const collective_variant& tree, int pes,
                                                 std::size_t bytes) {
  constexpr std::array<std::size_t, 2> pieces{64 * 1024, 256 * 1024};
  std::vector<collective_variant> all;
  const auto add = [&](int fan_out, std::size_t piece) {
    collective_variant v = tree;
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

}  // namespace

std::vector<collective_variant> variants_of_collective(const setting& s, std::size_t bytes) {
  if (s.variants == "chosen") return {{"automatic"}};
  std::vector<collective_variant> all;
  for (const collective_variant& v : few_variants()) {
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

}  // namespace boxcar::bench
