// Breadth-first search: computes the distance of every vertex of a graph, in edges, from a first
// vertex. The graph is a sparse matrix, in which an entry in row a and column b is an edge from a
// to b. The search is kernel 2 of the example graph500. The result is compared with the result of a
// queue.
//
//   boxcar run -n 4 -- breadth_first_search GRAPH.mtx

#include "support/graph/breadth_first_search.hpp"

#include <algorithm>
#include <cstdio>
#include <queue>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/graph/graph_share.hpp"
#include "support/matrix_market.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace {

using examples::graph::vertex;
constexpr int unreached = -1;

// Collective. Deals out the edges in the PE's share of the matrix.
examples::graph::graph_share make_graph(boxcar::world& w,
                                        const std::vector<examples::matrix_entry>& entries,
                                        vertex vertices) {
  std::vector<examples::graph::edge> edges;
  edges.reserve(entries.size());
  for (const auto& entry : entries) edges.push_back({entry.row, entry.column});
  return {w, examples::graph::cyclic_distribution(w, vertices), edges,
          examples::graph::direction::one_way};
}

std::vector<int> search_alone(const std::vector<examples::matrix_entry>& edges, vertex vertices,
                              vertex first) {
  std::vector<std::vector<vertex>> neighbours(vertices);
  for (const auto& edge : edges) neighbours[edge.row].push_back(edge.column);
  std::vector<int> distance(vertices, unreached);
  std::queue<vertex> left({first});
  distance[first] = 0;
  for (; !left.empty(); left.pop()) {
    for (const vertex next : neighbours[left.front()]) {
      if (distance[next] != unreached) continue;
      distance[next] = distance[left.front()] + 1;
      left.push(next);
    }
  }
  return distance;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Finds how far the vertices of a graph are from one.");
    const vertex first = given.number("--from", 1, {1, ~std::uint64_t{0}}, "the first vertex");
    const std::string path = given.file("a square matrix in a Matrix Market file");
    if (!given.complete(w)) return;
    const auto rank = static_cast<vertex>(w.rank());
    const auto pes = static_cast<vertex>(w.size());
    const examples::matrix_shape shape = examples::read_shape(path);
    const vertex vertices = shape.rows;
    if (shape.columns != vertices || first > vertices) {
      throw boxcar::argument_error("the matrix has " + std::to_string(vertices) + " rows and " +
                                   std::to_string(shape.columns) +
                                   " columns: give a square one, and --from one of its rows");
    }
    const auto graph = make_graph(w, examples::read_entries(path, shape, rank, pes), vertices);
    examples::graph::breadth_first_search search(w, graph);

    examples::stopwatch watch(w);
    const examples::graph::search_tree& tree = search.run(first - 1);
    const double seconds = watch.seconds();

    const auto right = search_alone(examples::read_entries(path, shape, 0, 1), vertices, first - 1);
    vertex reached = 0;
    vertex edges = 0;
    for (std::uint32_t place = 0; place < graph.distribution().count(); ++place) {
      const int should_be = right[rank + place * pes];
      const int d = tree.has(place) ? static_cast<int>(tree.distance[place]) : unreached;
      examples::require(d == should_be, "a vertex is not as far away as a queue finds it");
      reached += d != unreached;
      if (d != unreached) edges += graph.targets(place).size();
    }
    reached = w.reduce(reached);
    edges = w.reduce(edges);
    const int farthest = *std::max_element(right.begin(), right.end());
    if (w.rank() == 0) {
      std::printf("%s of %s vertices reached over %s edges in %.3f s, the farthest in %d steps\n",
                  examples::with_commas(reached).c_str(), examples::with_commas(vertices).c_str(),
                  examples::with_commas(edges).c_str(), seconds, farthest);
    }
  });
}
