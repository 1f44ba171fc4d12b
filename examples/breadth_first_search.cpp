// Breadth-first search: computes the distance of every vertex of a graph, in edges, from a first
// vertex. The graph is a sparse matrix, in which an entry in row a and column b is an edge from a
// to b; its vertices are dealt out to the PEs. From level to level, every newly reached vertex
// sends its neighbours a visit, by a stream, whose handler adds vertices to the next level on their
// first visit. The result is compared with the result of a queue.
//
//   boxcar run -n 4 -- breadth_first_search GRAPH.mtx

#include <algorithm>
#include <cstdio>
#include <queue>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/matrix_market.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace {

using vertex = std::uint64_t;
using neighbours = std::vector<std::vector<vertex>>;  // of each vertex
constexpr int unreached = -1;

// The neighbours of the vertices of the PE, every pes-th vertex.
neighbours deal_out(boxcar::world& w, const std::vector<examples::matrix_entry>& edges,
                    vertex vertices) {
  const auto pes = static_cast<vertex>(w.size());
  neighbours mine(vertices / pes + 1);
  boxcar::stream<examples::matrix_entry> to_owners(
      w, [&](const examples::matrix_entry& e) { mine[e.row / pes].push_back(e.column); });
  const boxcar::session s = to_owners.begin(boxcar::staged(1));
  for (const auto& edge : edges) to_owners.send(edge, static_cast<int>(edge.row % pes));
  to_owners.done();
  to_owners.finish();
  return mine;
}

// The distances of the vertices of the PE from `first`.
std::vector<int> search(boxcar::world& w, const neighbours& mine, vertex first) {
  const auto pes = static_cast<vertex>(w.size());
  std::vector<int> distance(mine.size(), unreached);
  std::vector<vertex> reached;
  int level = 0;
  const auto visit = [&](vertex v) {
    if (distance[v / pes] != unreached) return;
    distance[v / pes] = level;
    reached.push_back(v / pes);
  };
  boxcar::stream<vertex> visits(w, visit);
  if (static_cast<int>(first % pes) == w.rank()) visit(first);
  while (w.reduce(reached.size()) != 0) {
    ++level;
    const std::vector<vertex> leaving = std::exchange(reached, {});
    const boxcar::session s = visits.begin(boxcar::staged(1));
    for (const vertex v : leaving) {
      for (const vertex next : mine[v]) visits.send(next, static_cast<int>(next % pes));
    }
    visits.done();
    visits.finish();
  }
  return distance;
}

std::vector<int> search_alone(const std::vector<examples::matrix_entry>& edges, vertex vertices,
                              vertex first) {
  neighbours all(vertices);
  for (const auto& edge : edges) all[edge.row].push_back(edge.column);
  std::vector<int> distance(vertices, unreached);
  std::queue<vertex> left({first});
  distance[first] = 0;
  for (; !left.empty(); left.pop()) {
    for (const vertex next : all[left.front()]) {
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
    const neighbours mine = deal_out(w, examples::read_entries(path, shape, rank, pes), vertices);

    examples::stopwatch watch(w);
    const std::vector<int> distance = search(w, mine, first - 1);
    const double seconds = watch.seconds();

    const auto right = search_alone(examples::read_entries(path, shape, 0, 1), vertices, first - 1);
    vertex reached = 0;
    vertex edges = 0;
    for (vertex v = rank; v < vertices; v += pes) {
      const int d = distance[v / pes];
      examples::require(d == right[v], "a vertex is not as far away as a queue finds it");
      reached += d != unreached;
      if (d != unreached) edges += mine[v / pes].size();
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
