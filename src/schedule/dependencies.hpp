// The inverse edges of a PE's graph: from each vertex to its dependents.
#pragma once

#include <cstddef>
#include <vector>

namespace boxcar::detail {

struct dependencies {
  // Builds the edges from vertices whose member `after` lists dependencies.
  template <typename Vertex>
  explicit dependencies(const std::vector<Vertex>& all) : later(all.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      missing.push_back(all[i].after.size());
      for (const int e : all[i].after) {
        later[static_cast<std::size_t>(e)].push_back(static_cast<int>(i));
      }
      if (missing[i] == 0) roots.push_back(static_cast<int>(i));
    }
  }

  // Marks a vertex as complete. Calls `start` with each vertex that now has no missing dependency.
  template <typename Start>
  void complete(int vertex, const Start& start) {
    for (const int l : later[static_cast<std::size_t>(vertex)]) {
      if (--missing[static_cast<std::size_t>(l)] == 0) start(l);
    }
  }

  std::vector<std::vector<int>> later;
  std::vector<std::size_t> missing;  // number of incomplete dependencies of each vertex
  std::vector<int> roots;            // vertices without dependencies
};

}  // namespace boxcar::detail
