#include "grid/torus_sizes.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/grid_sizes.hpp>

namespace boxcar::detail {

std::vector<int> torus_sizes(const torus& t, int nodes) {
  if (!t.sizes.empty()) {
    std::int64_t places = 1;
    for (const int size : t.sizes) {
      if (size < 1) {
        throw argument_error("the network's torus.sizes is " + std::to_string(size) +
                             ": give at least 1");
      }
      places *= size;
      if (places > std::numeric_limits<int>::max()) {
        throw argument_error("the network's torus.sizes make too many nodes, more than " +
                             std::to_string(std::numeric_limits<int>::max()) +
                             " places: give smaller sizes, or torus.dimensions alone");
      }
    }
    return t.sizes;
  }
  if (t.dimensions < 1 || t.dimensions > most_dimensions) {
    throw argument_error("the network's torus.dimensions is " + std::to_string(t.dimensions) +
                         ": give 1 to " + std::to_string(most_dimensions));
  }
  // In grids the last dimension varies fastest.
  std::vector<int> sizes = balanced_grid(nodes, t.dimensions);
  std::ranges::reverse(sizes);
  return sizes;
}

}  // namespace boxcar::detail
