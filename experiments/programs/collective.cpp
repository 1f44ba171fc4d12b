// One collective, alone: over a requested topology, or over the automatic choice.
//
//   kind=NAME   barrier, broadcast, reduce, all_reduce, scatter, gather, all_gather, all_to_all,
//               reduce_scatter or scan
//   bytes=N     sent: of blocks for all PEs together (at least a word for each)
//   over=NAME   a topology of boxcar/collective_options.hpp
//   fan_out=N  segment=N  by_node=0
//
// Prints `seconds` from the last PE's start to the last PE's end, a median.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace {

using boxcar::topology;
using word = std::uint64_t;

constexpr int rounds = 3;

constexpr std::array<std::pair<std::string_view, topology>, 10> topologies{{
    {"automatic", topology::automatic},
    {"k_ary_tree", topology::k_ary_tree},
    {"k_nomial_tree", topology::k_nomial_tree},
    {"chain", topology::chain},
    {"ring", topology::ring},
    {"pairwise", topology::pairwise},
    {"dissemination", topology::dissemination},
    {"butterfly", topology::butterfly},
    {"grid", topology::grid},
    {"circulant", topology::circulant},
}};

boxcar::collective_options options_of(const experiments::arguments& a) {
  const std::string over = a.text("over", "automatic");
  const auto named =
      std::ranges::find(topologies, over, &std::pair<std::string_view, topology>::first);
  if (named == topologies.end()) throw std::invalid_argument("over=" + over + " is no topology");
  return {.over = named->second,
          .fan_out = static_cast<int>(a.number("fan_out", 0)),
          .segment_bytes = static_cast<std::size_t>(a.number("segment", 0)),
          .by_node = a.number("by_node", 1) != 0};
}

// A block of each PE, and blocks for all.
struct memory {
  std::span<word> mine;
  std::span<word> result;
  std::span<word> block;
};

boxcar::collective make(boxcar::collectives& all, const std::string& kind, const memory& m,
                        const boxcar::collective_options& how) {
  constexpr std::plus<> sum;
  if (kind == "barrier") return all.barrier(how);
  if (kind == "broadcast") return all.broadcast(m.mine, 0, how);
  if (kind == "reduce") return all.reduce(m.mine, m.result, 0, sum, how);
  if (kind == "all_reduce") return all.all_reduce(m.mine, m.result, sum, how);
  if (kind == "scatter") return all.scatter(m.mine, m.block, 0, how);
  if (kind == "gather") return all.gather(m.block, m.result, 0, how);
  if (kind == "all_gather") return all.all_gather(m.block, m.result, how);
  if (kind == "all_to_all") return all.all_to_all(m.mine, m.result, how);
  if (kind == "reduce_scatter") return all.reduce_scatter(m.mine, m.block, sum, how);
  if (kind == "scan") return all.scan(m.mine, m.result, sum, how);
  throw std::invalid_argument("kind=" + kind + " is no collective");
}

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    const auto pes = static_cast<std::size_t>(w.size());
    const auto asked = static_cast<std::size_t>(a.number("bytes", 8)) / sizeof(word);
    const std::string kind = a.text("kind", "barrier");
    const bool is_in_blocks = kind == "scatter" || kind == "gather" || kind == "all_gather" ||
                              kind == "all_to_all" || kind == "reduce_scatter";
    const std::size_t block = std::max(asked / pes, std::size_t{1});
    const std::size_t whole = is_in_blocks ? block * pes : asked;
    boxcar::window<word> data(w, 2 * whole + block);
    const std::span<word> all = data.local();
    boxcar::collectives collectives(w);
    collectives.use(data);
    boxcar::collective one =
        make(collectives, kind, {all.first(whole), all.subspan(whole, whole), all.last(block)},
             options_of(a));
    std::vector<double> seconds;
    for (int i = 0; i < rounds; ++i) {
      seconds.push_back(experiments::seconds_of(w, [&] {
        one.start();
        one.wait();
      }));
    }
    std::ranges::sort(seconds);
    experiments::report(w, "seconds", seconds[rounds / 2]);
  });
}
