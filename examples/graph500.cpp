// Graph500: constructs a Kronecker graph that is distributed over the PEs (kernel 1), searches it
// breadth first from random roots (kernel 2), and finds shortest paths from the same roots by
// delta-stepping (kernel 3). Each level of a search and each relaxation of edges is a session of a
// stream. Every result is validated by the five rules of the specification, which also says what is
// printed (https://graph500.org/?page_id=12).
//
//   boxcar run -n 4 -- graph500 --scale 16

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/graph/breadth_first_search.hpp"
#include "support/graph/delta_stepping.hpp"
#include "support/graph/graph_share.hpp"
#include "support/graph/kronecker_graph.hpp"
#include "support/graph/validation.hpp"
#include "support/require.hpp"
#include "support/sample_statistics.hpp"
#include "support/stopwatch.hpp"

namespace {

using namespace examples::graph;

// Collective. Returns `count` random vertices that have neighbours, or all if there are fewer.
std::vector<vertex> sample_roots(boxcar::world& w, const graph_share& g, const kronecker_graph& k,
                                 std::size_t count) {
  constexpr std::uint64_t batch = 64;
  std::vector<vertex> roots;
  for (std::uint64_t begin = 0; begin < k.vertices() && roots.size() < count; begin += batch) {
    std::vector<int> has_neighbours(batch);
    for (std::uint64_t i = 0; i < batch && begin + i < k.vertices(); ++i) {
      const address a = g.distribution().address_of(k.root_candidate(begin + i));
      has_neighbours[i] = a.pe == w.rank() && g.has_neighbours(a.place);
    }
    has_neighbours = w.reduce(has_neighbours);
    for (std::uint64_t i = 0; i < batch && roots.size() < count; ++i) {
      if (has_neighbours[i] != 0) roots.push_back(k.root_candidate(begin + i));
    }
  }
  examples::require(!roots.empty(), "no vertex has a neighbour");
  return roots;
}

// The searches by one kernel from all roots.
struct searches {
  std::vector<double> seconds;
  std::vector<double> edges;  // that each search has traversed
};

// Collective. Searches from all roots, and calls `validate(tree, root)` for each tree.
template <typename Kernel, typename Validate>
searches measure(boxcar::world& w, const graph_share& g, const std::vector<vertex>& roots,
                 Kernel&& kernel, Validate&& validate) {
  searches all;
  for (const vertex root : roots) {
    examples::stopwatch watch(w);
    const search_tree& tree = kernel.run(root);
    all.seconds.push_back(watch.seconds());
    const std::uint64_t edges = traversed_edges(w, g, tree);
    all.edges.push_back(static_cast<double>(edges));
    const std::optional<verdict> v = validate(tree, root);
    if (!v) continue;
    for (std::size_t rule = 0; rule < v->broken.size(); ++rule) {
      if (v->broken[rule] == 0) continue;
      examples::wrong_result("the tree of root " + std::to_string(root) + " breaks rule " +
                             std::to_string(rule + 1) + " of Graph500 " +
                             std::to_string(v->broken[rule]) + " times");
    }
    examples::require(v->edges == edges, "a search counts other edges than the validation");
  }
  return all;
}

void print(const std::string& name, double value) {
  std::printf("%-32s%.11g\n", (name + ":").c_str(), value);
}

void print_statistics(const std::string& prefix, const std::string& of,
                      const examples::sample_statistics& s) {
  print(prefix + "min_" + of, s.min);
  print(prefix + "firstquartile_" + of, s.first_quartile);
  print(prefix + "median_" + of, s.median);
  print(prefix + "thirdquartile_" + of, s.third_quartile);
  print(prefix + "max_" + of, s.max);
}

void print_spread(const std::string& prefix, const std::string& of,
                  const std::vector<double>& values) {
  const examples::sample_statistics s(values);
  print_statistics(prefix, of, s);
  print(prefix + "mean_" + of, s.mean);
  print(prefix + "stddev_" + of, s.deviation);
}

void print_rates(const std::string& prefix, const searches& done) {
  std::vector<double> rates;  // traversed edges per second
  for (std::size_t i = 0; i < done.edges.size(); ++i) {
    rates.push_back(done.edges[i] / done.seconds[i]);
  }
  print_statistics(prefix, "TEPS", examples::sample_statistics(rates));
  const examples::harmonic_statistics mean(rates);
  print(prefix + "harmonic_mean_TEPS", mean.mean);
  print(prefix + "harmonic_stddev_TEPS", mean.error);
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv,
                              "Constructs and searches a graph, as Graph500 specifies.");
    const std::uint64_t scale = given.number("--scale", 14, {1, 40}, "of 2^N vertices");
    const std::uint64_t edge_factor =
        given.number("--edge-factor", 16, {1, 1'000}, "edges for each vertex");
    const std::uint64_t count = given.number("--roots", 64, {1, 1'000'000}, "searches of a kernel");
    const bool skip = given.flag("--no-validate", "do not validate, and keep no list of edges");
    if (!given.complete(w)) return;

    const kronecker_graph k{scale, edge_factor};
    const cyclic_distribution d(w, k.vertices());
    std::vector<edge> edges =
        k.share(static_cast<std::uint64_t>(w.rank()), static_cast<std::uint64_t>(w.size()));
    examples::stopwatch watch(w);
    const graph_share g(w, d, edges, direction::both_ways);
    const double construction = watch.seconds();
    std::optional<validation> validator;
    if (!skip) validator.emplace(w, d, edges);
    edges = {};

    const std::vector<vertex> roots = sample_roots(w, g, k, count);
    const auto levels = [&](const search_tree& tree, vertex root) {
      return validator ? std::optional(validator->validate_levels(tree, root)) : std::nullopt;
    };
    const auto paths = [&](const search_tree& tree, vertex root) {
      return validator ? std::optional(validator->validate_paths(tree, root)) : std::nullopt;
    };
    const searches bfs = measure(w, g, roots, breadth_first_search(w, g), levels);
    const searches sssp = measure(w, g, roots, delta_stepping(w, g), paths);
    if (w.rank() != 0) return;
    print("SCALE", static_cast<double>(scale));
    print("edgefactor", static_cast<double>(edge_factor));
    print("NBFS", static_cast<double>(roots.size()));
    print("construction_time", construction);
    print_spread("bfs_", "time", bfs.seconds);
    print_spread("sssp_", "time", sssp.seconds);
    print_spread("", "nedge", bfs.edges);
    print_rates("bfs_", bfs);
    print_rates("sssp_", sssp);
  });
}
