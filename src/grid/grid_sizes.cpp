// The functions of grid_sizes.hpp: choose and change the sizes of a grid.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/grid_sizes.hpp>

#include "grid/factorisations.hpp"

namespace boxcar {
namespace {

void require_dimension(const grid_sizes& sizes, int d, int successors, const char* purpose) {
  if (d >= 0 && static_cast<std::size_t>(d + successors) < sizes.size()) return;
  throw argument_error("dimension " + std::to_string(d) + " of a grid of " + to_text(sizes) +
                       " cannot be " + purpose + ": give 0 to " +
                       std::to_string(static_cast<int>(sizes.size()) - 1 - successors));
}

int links_of(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0) - static_cast<int>(sizes.size());
}

// Finds the grid with the fewest links among all factorisations of `places` into non-increasing
// sizes. (The order of the sizes does not affect the number of links.)
class exact_search {
 public:
  exact_search(int places, int dimensions) : divisors_(detail::divisors(places)) {
    continue_with(places, dimensions, places);
  }
  [[nodiscard]] const grid_sizes& best() const { return best_; }

 private:
  // `rest` is the product of the missing sizes, each at most `most`.
  void continue_with(int rest, int missing, int most) {
    if (missing == 1) {
      if (rest > most) return;
      chosen_.push_back(rest);
      if (best_.empty() || links_of(chosen_) < links_of(best_)) best_ = chosen_;
      chosen_.pop_back();
      return;
    }
    for (const int d : divisors_) {
      if (d > most) break;
      if (rest % d != 0 || std::pow(d, missing) < rest) continue;
      chosen_.push_back(d);
      continue_with(rest / d, missing - 1, d);
      chosen_.pop_back();
    }
  }

  std::vector<int> divisors_;
  grid_sizes chosen_;
  grid_sizes best_;
};

// Returns the sizes with exactly `places` places and the fewest links, the largest size first.
grid_sizes best_exact(int places, int dimensions) {
  return exact_search(places, dimensions).best();
}

// Like best_exact, but the last slab may be incomplete.
grid_sizes best_with_slab(int places, int dimensions) {
  const double even = std::pow(places, 1.0 / dimensions);
  const int low = std::max(1, static_cast<int>(std::floor(even)));
  grid_sizes best;
  // All sizes but the first are the integers around the root; `high` sizes are the greater integer.
  for (int high = 0; high < dimensions; ++high) {
    grid_sizes sizes(static_cast<std::size_t>(dimensions), low);
    for (int d = 1; d <= high; ++d) ++sizes[static_cast<std::size_t>(d)];
    const int slab = std::accumulate(sizes.begin() + 1, sizes.end(), 1, std::multiplies<>());
    if (slab > places) break;
    sizes[0] = (places + slab - 1) / slab;
    if (best.empty() || links_of(sizes) < links_of(best)) best = sizes;
  }
  return best;
}

// Adds all grids that result from merging successive dimensions of `sizes`.
void add_merged(const grid_sizes& sizes, std::set<grid_sizes>& all) {
  const std::size_t gaps = sizes.size() - 1;
  for (std::size_t cuts = 0; cuts < std::size_t{1} << gaps; ++cuts) {
    grid_sizes merged{sizes[0]};
    for (std::size_t gap = 0; gap < gaps; ++gap) {
      if ((cuts >> gap & 1U) != 0) {
        merged.push_back(sizes[gap + 1]);
      } else {
        merged.back() *= sizes[gap + 1];
      }
    }
    if (merged.size() <= most_dimensions) all.insert(merged);
  }
}

}  // namespace

std::string to_text(const grid_sizes& sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

grid_sizes merge_dimensions(grid_sizes sizes, int first) {
  require_dimension(sizes, first, 1, "merged with the next one");
  const auto at = sizes.begin() + first;
  *at *= *(at + 1);
  sizes.erase(at + 1);
  return sizes;
}

grid_sizes split_dimension(grid_sizes sizes, int dimension, int inner) {
  require_dimension(sizes, dimension, 0, "split");
  const auto at = sizes.begin() + dimension;
  if (inner < 1 || *at % inner != 0) {
    grid_sizes fitting = detail::divisors(*at);
    std::string list;
    for (const int d : fitting) list += (list.empty() ? "" : ", ") + std::to_string(d);
    throw argument_error("a dimension of size " + std::to_string(*at) + " cannot be split by " +
                         std::to_string(inner) + ": give one of " + list);
  }
  *at /= inner;
  sizes.insert(at + 1, inner);
  return sizes;
}

grid_sizes balanced_grid(int pes, int dimensions, int pes_per_node) {
  if (pes < 1) throw argument_error("a grid for " + std::to_string(pes) + " PEs: give at least 1");
  if (dimensions < 1 || dimensions > most_dimensions) {
    throw argument_error("a grid of " + std::to_string(dimensions) + " dimensions: give 1 to " +
                         std::to_string(most_dimensions));
  }
  const bool by_node =
      dimensions > 1 && pes_per_node > 1 && pes_per_node < pes && pes % pes_per_node == 0;
  const int places = by_node ? pes / pes_per_node : pes;
  const int others = by_node ? dimensions - 1 : dimensions;
  grid_sizes exact = best_exact(places, others);
  grid_sizes with_slab = best_with_slab(places, others);
  // A complete grid balances the load, which is worth some links.
  grid_sizes best = 4 * links_of(exact) <= 5 * links_of(with_slab) ? exact : with_slab;
  if (by_node) best.push_back(pes_per_node);
  return best;
}

std::vector<grid_sizes> minimal_grids(const grid_sizes& torus, int pes_per_node) {
  if (torus.empty() || torus.size() > most_dimensions || pes_per_node < 1 ||
      std::any_of(torus.begin(), torus.end(), [](int size) { return size < 1; })) {
    throw argument_error("a torus of " + to_text(torus) + " nodes with " +
                         std::to_string(pes_per_node) +
                         " PEs each: give 1 to 8 dimensions, and sizes of at least 1");
  }
  grid_sizes nodes;
  std::copy_if(torus.begin(), torus.end(), std::back_inserter(nodes), [](int s) { return s > 1; });
  std::set<grid_sizes> all;
  const auto add = [&](const grid_sizes& within) {
    grid_sizes sizes = nodes;
    sizes.insert(sizes.end(), within.begin(), within.end());
    if (sizes.empty()) sizes.push_back(1);
    add_merged(sizes, all);
  };
  if (pes_per_node == 1) add({});
  // With more factors the node alone would have more dimensions than a grid may have.
  for (int factors = 1; factors <= most_dimensions + 1; ++factors) {
    detail::for_each_factorisation(pes_per_node, factors, 2, add);
  }
  std::vector<grid_sizes> result(all.begin(), all.end());
  std::stable_sort(result.begin(), result.end(),
                   [](const grid_sizes& a, const grid_sizes& b) { return a.size() < b.size(); });
  return result;
}

}  // namespace boxcar
