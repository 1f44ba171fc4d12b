#include "grid/candidate_grids.hpp"

#include <algorithm>
#include <numeric>

namespace boxcar::detail {
namespace {

int num_links(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0) - static_cast<int>(sizes.size());
}

bool has_unused_dimension(const grid_sizes& sizes) {
  return sizes.size() > 1 && std::count(sizes.begin(), sizes.end(), 1) != 0;
}

}  // namespace

std::vector<grid_sizes> candidate_grids(int pes, int pes_per_node) {
  std::vector<grid_sizes> all;
  bool by_node = pes_per_node > 1;
  for (int dimensions = 1; dimensions <= most_dimensions; ++dimensions) {
    grid_sizes sizes = balanced_grid(pes, dimensions, by_node ? pes_per_node : 1);
    if (by_node && has_unused_dimension(sizes)) {
      by_node = false;
      sizes = balanced_grid(pes, dimensions, 1);
    }
    if (has_unused_dimension(sizes)) break;
    if (all.empty() || by_node || num_links(sizes) < num_links(all.back())) {
      all.push_back(std::move(sizes));
    }
  }
  return all;
}

}  // namespace boxcar::detail
