// Connected components: finds out which vertices of a graph are connected by paths. The graph is a
// sparse matrix, in which an entry in row a and column b is an edge between a and b. Each PE reads
// a share of the edges, and unites the vertices of each edge in a disjoint set over all PEs. The
// result is compared with a serial union-find.
//
//   boxcar run -n 4 -- connected_components GRAPH.mtx

#include <cstdio>
#include <numeric>
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
using edges = std::vector<examples::matrix_entry>;

// The sets of a serial union-find: each vertex has a parent.
class serial_sets {
 public:
  explicit serial_sets(vertex vertices) : parents_(vertices), components_(vertices) {
    std::iota(parents_.begin(), parents_.end(), vertex{0});
  }
  void unite(vertex a, vertex b) {
    if (find(a) == find(b)) return;
    parents_[find(a)] = find(b);
    --components_;
  }
  vertex find(vertex v) {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }
  [[nodiscard]] vertex components() const { return components_; }

 private:
  std::vector<vertex> parents_;
  vertex components_;
};

// Collective. Unites the vertices of all edges. PEs give shares of the edges, and of the vertices.
void unite_all(boxcar::world& w, boxcar::disjoint_set<vertex>& sets, const edges& mine,
               vertex vertices) {
  const boxcar::session s = sets.begin();
  const auto pes = static_cast<vertex>(w.size());
  for (auto v = static_cast<vertex>(w.rank()); v < vertices; v += pes) sets.insert(v);
  for (const auto& edge : mine) sets.unite(edge.row, edge.column);
  sets.finish();
}

// Collective. Returns the number of vertices of the largest component.
vertex largest_component(boxcar::world& w, boxcar::disjoint_set<vertex>& sets) {
  std::vector<std::pair<vertex, vertex>> ones;
  sets.for_each([&](vertex, vertex representative) { ones.emplace_back(representative, 1); });
  vertex largest = 0;
  auto sizes = boxcar::reduce_by_key(w, ones);
  for (const auto& [representative, size] : sizes.local()) largest = std::max(largest, size);
  return w.reduce(largest, boxcar::maximum{});
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Finds the connected components of a graph.");
    const std::string path = given.file("a square matrix in a Matrix Market file");
    if (!given.complete(w)) return;
    const examples::matrix_shape shape = examples::read_shape(path);
    if (shape.columns != shape.rows) {
      throw boxcar::argument_error("the matrix has " + std::to_string(shape.rows) + " rows and " +
                                   std::to_string(shape.columns) + " columns: give a square one");
    }
    const auto share_of = [&](int index, int of) {
      return examples::read_entries(path, shape, static_cast<vertex>(index),
                                    static_cast<vertex>(of));
    };
    const edges mine = share_of(w.rank(), w.size());

    examples::stopwatch watch(w);
    boxcar::disjoint_set<vertex> sets(w);
    unite_all(w, sets, mine, shape.rows);
    const vertex components = sets.components();
    const double seconds = watch.seconds();

    serial_sets right(shape.rows);
    for (const auto& edge : share_of(0, 1)) right.unite(edge.row, edge.column);
    examples::require(components == right.components(), "there are more or fewer components");
    sets.for_each([&](vertex v, vertex representative) {
      examples::require(right.find(v) == right.find(representative),
                        "two vertices of a component are not connected");
    });
    const vertex largest = largest_component(w, sets);
    const vertex all = sets.size();
    examples::require(all == shape.rows, "vertices were lost");
    if (w.rank() == 0) {
      std::printf("%s vertices in %s components in %.3f s, the largest of %s vertices\n",
                  examples::with_commas(all).c_str(), examples::with_commas(components).c_str(),
                  seconds, examples::with_commas(largest).c_str());
    }
  });
}
