#include "route/many_routes.hpp"

#include <algorithm>

#include "grid/factorisations.hpp"

namespace boxcar::test {
namespace {

// Slabs of two to four sizes, each with at most `max_places` places.
std::vector<grid_sizes> slabs(int max_places) {
  std::vector<grid_sizes> found;
  for (int places = 2; places <= max_places; ++places) {
    for (int factors = 1; factors <= 3; ++factors) {
      detail::for_each_factorisation(places, factors, 2,
                                     [&](const grid_sizes& s) { found.push_back(s); });
    }
  }
  return found;
}

}  // namespace

std::vector<route> every_route(int pes) {
  std::vector<route> all{route::direct(pes)};
  for (const int group : detail::divisors(pes)) {
    all.push_back(route::matrix(pes, group));
    all.push_back(route::tensor(pes, group));
  }
  for (int dimensions = 1; dimensions <= 4; ++dimensions) {
    detail::for_each_factorisation(pes, dimensions, 1, [&](const grid_sizes& sizes) {
      if (std::count(sizes.begin(), sizes.end(), 1) > 1) return;
      all.push_back(route::grid(pes, sizes));
      if (sizes.back() < dimensions) return;
      all.push_back(route::teams(pes, sizes));
      all.push_back(route::specialised_teams(pes, sizes));
    });
  }
  for (grid_sizes slab : slabs(pes - 1)) {
    slab.insert(slab.begin(), 0);
    all.push_back(route::grid(pes, slab));
  }
  return all;
}

std::vector<route> large_routes() {
  return {route::tensor(1000, 10),
          route::tensor(1024, 8),
          route::grid(4096, {16, 16, 16}),
          route::grid(1009, {0, 10, 10}),
          route::grid(4099, {0, 8, 8, 8}),
          route::grid(2187, {3, 3, 3, 3, 3, 3, 3}),
          route::grid(256, {2, 2, 2, 2, 2, 2, 2, 2}),
          route::grid(255, {0, 2, 2, 2, 2, 2, 2, 2}),
          route::grid(129, {0, 2, 2, 2, 2, 2, 2, 2}),
          route::grid(720, {6, 5, 4, 3, 2}),
          route::teams(3 * 4 * 5 * 8, {3, 4, 5, 8}),
          route::teams(2 * 2 * 2 * 2 * 11, {2, 2, 2, 2, 11}),
          route::teams(64 * 16, {64, 16}),
          route::teams(2 * 3 * 2 * 2 * 2 * 17, {2, 3, 2, 2, 2, 17}),
          route::specialised_teams(3 * 4 * 5 * 8, {3, 4, 5, 8}),
          route::specialised_teams(7 * 5 * 11, {7, 5, 11}),
          route::specialised_teams(64 * 16, {64, 16}),
          route::specialised_teams(2 * 2 * 2 * 2 * 23, {2, 2, 2, 2, 23})};
}

}  // namespace boxcar::test
