#include "route/grid.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <boxcar/error.hpp>

#include "grid/factorisations.hpp"

namespace boxcar::detail {
namespace {

std::string text(int n) {
  return std::to_string(n);
}

// Returns the product of the sizes from `first` on, or a number larger than any number of PEs.
std::int64_t product(const grid_sizes& sizes, std::size_t first) {
  std::int64_t result = 1;
  for (std::size_t d = first; d < sizes.size(); ++d) {
    result *= sizes[d];
    if (result > std::numeric_limits<int>::max()) break;
  }
  return result;
}

// Returns the grid of the given dimensions with exactly `pes` places whose sizes are nearest to
// `wanted`.
grid_sizes nearest(int pes, const grid_sizes& wanted) {
  grid_sizes best;
  double least = std::numeric_limits<double>::infinity();
  for_each_factorisation(pes, static_cast<int>(wanted.size()), 1, [&](const grid_sizes& found) {
    double distance = 0;
    for (std::size_t d = 0; d < found.size(); ++d) {
      distance += std::abs(std::log(static_cast<double>(found[d]) / wanted[d]));
    }
    if (distance < least) {
      least = distance;
      best = found;
    }
  });
  return best;
}

[[noreturn]] void refuse_product(int pes, grid_sizes wanted) {
  const std::int64_t places = product(wanted, 0);
  std::string message = "a grid of " + to_text(wanted) + " has " + std::to_string(places) +
                        " places, but the world has " + text(pes) + " PEs: give " +
                        to_text(nearest(pes, wanted));
  if (product(wanted, 1) <= pes && wanted.size() > 1) {
    wanted[0] = 0;
    message += ", or " + to_text(wanted) + " for a last slab that may be incomplete";
  }
  throw argument_error(message);
}

grid_sizes checked(int pes, grid_sizes sizes) {
  if (pes < 1) throw argument_error("a route for " + text(pes) + " PEs: give at least 1");
  if (sizes.empty() || sizes.size() > most_dimensions) {
    throw argument_error("a grid of " + std::to_string(sizes.size()) + " dimensions: give 1 to " +
                         text(most_dimensions));
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] >= 1 || (d == 0 && sizes[d] == 0)) continue;
    throw argument_error("a grid of " + to_text(sizes) + " has a dimension of size " +
                         text(sizes[d]) + ": give at least 1, or 0 for the first to be chosen");
  }
  if (sizes[0] == 0) {
    const std::int64_t slab = product(sizes, 1);
    if (slab > pes) {
      throw argument_error("a grid of " + to_text(sizes) + " has slabs of " + std::to_string(slab) +
                           " places, but the world has " + text(pes) + " PEs: give smaller sizes");
    }
    sizes[0] = static_cast<int>((pes + slab - 1) / slab);
  } else if (product(sizes, 0) != pes) {
    refuse_product(pes, sizes);
  }
  return sizes;
}

}  // namespace

grid::grid(int pes, const grid_sizes& wanted)
    : pes_(pes), sizes_(checked(pes, wanted)), strides_(sizes_.size()) {
  int stride = 1;
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    strides_[d] = stride;
    stride *= sizes_[d];
  }
}

}  // namespace boxcar::detail
