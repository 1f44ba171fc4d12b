// The result of a search of a graph on a PE: a tree of paths from the root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <boxcar/world.hpp>

#include "support/graph/graph_share.hpp"

namespace examples::graph {

constexpr float unreached = std::numeric_limits<float>::infinity();

// The vertices of a PE in a tree. The root is its own parent.
struct search_tree {
  std::vector<address> parent;
  std::vector<float> distance;  // from the root, in edges or as a sum of weights

  explicit search_tree(std::size_t vertices) : parent(vertices), distance(vertices, unreached) {}

  [[nodiscard]] bool has(std::uint32_t place) const { return parent[place].is_vertex(); }
  // Replaces the path to a vertex by a path of the distance `to` over the parent `by`, if the new
  // path is shorter. Returns whether the path was replaced.
  bool shorten(std::uint32_t place, float to, address by) {
    if (to >= distance[place]) return false;
    distance[place] = to;
    parent[place] = by;
    return true;
  }
};

// Collective. Returns the number of edges of an undirected graph between vertices of the tree:
// multiple edges count each, and self loops too. Source: the specification of Graph500, section 9.
inline std::uint64_t traversed_edges(boxcar::world& w, const graph_share& g,
                                     const search_tree& tree) {
  std::uint64_t ends = 0;
  for (std::uint32_t place = 0; place < g.distribution().count(); ++place) {
    if (!tree.has(place)) continue;
    for (const address to : g.targets(place)) ends += g.is_self_loop(place, to) ? 2 : 1;
  }
  return w.reduce(ends) / 2;
}

}  // namespace examples::graph
