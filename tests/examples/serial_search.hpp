// Searches of a graph on one PE, to check results.
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "support/graph/half_edges.hpp"
#include "support/graph/search_tree.hpp"

namespace examples::graph::test {

// Returns the distances of all vertices of an undirected graph from the root, by Dijkstra's
// algorithm. `unit_weights`: all edges have the weight 1.
inline std::vector<float> serial_distances(std::span<const edge> edges, vertex vertices,
                                           vertex root, bool unit_weights) {
  std::vector<std::vector<std::pair<vertex, float>>> neighbours(vertices);
  for (const edge& e : edges) {
    const float weight = unit_weights ? 1 : e.weight;
    neighbours[e.from].emplace_back(e.to, weight);
    neighbours[e.to].emplace_back(e.from, weight);
  }
  std::vector<float> distances(vertices, unreached);
  using candidate = std::pair<float, vertex>;
  std::priority_queue<candidate, std::vector<candidate>, std::greater<>> left;
  left.emplace(0.0F, root);
  distances[root] = 0;
  while (!left.empty()) {
    const auto [distance, v] = left.top();
    left.pop();
    if (distance > distances[v]) continue;
    for (const auto& [to, weight] : neighbours[v]) {
      if (distance + weight >= distances[to]) continue;
      distances[to] = distance + weight;
      left.emplace(distances[to], to);
    }
  }
  return distances;
}

}  // namespace examples::graph::test
