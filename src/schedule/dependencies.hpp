// The edges of a PE's graph the other way round: which vertices each of them holds up.
#pragma once

#include <cstddef>
#include <vector>

namespace boxcar::detail {

struct dependencies {
  // Of vertices that say by `after` what they depend on.
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

  // It is complete: calls `start` with each vertex that now depends on nothing else.
  template <typename Start>
  void complete(int vertex, const Start& start) {
    for (const int l : later[static_cast<std::size_t>(vertex)]) {
      if (--missing[static_cast<std::size_t>(l)] == 0) start(l);
    }
  }

  std::vector<std::vector<int>> later;
  std::vector<std::size_t> missing;  // that each depends on and are not complete
  std::vector<int> roots;            // that depend on nothing
};

}  // namespace boxcar::detail
