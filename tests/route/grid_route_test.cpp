// Tests of the N-dimensional grid against tram-thesis-2014, sections 3.3 and 3.4.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

#include <boxcar/route.hpp>

#include "grid/factorisations.hpp"
#include "route/thesis_routing.hpp"

namespace boxcar::test::grid_route_test {
namespace {

int product(const grid_sizes& sizes) {
  int p = 1;
  for (const int s : sizes) p *= s;
  return p;
}

route grid_of(const grid_sizes& sizes) {
  return route::grid(product(sizes), sizes);
}

TEST(grid, goes_where_the_thesis_says) {
  for (int pes = 1; pes <= 64; ++pes) {
    for (int dimensions = 1; dimensions <= 4; ++dimensions) {
      detail::for_each_factorisation(pes, dimensions, 1, [&](const grid_sizes& sizes) {
        const route r = route::grid(pes, sizes);
        const thesis_routing thesis(sizes);
        for (int j = 0; j < pes; ++j) {
          for (int k = 0; k < pes; ++k) {
            const auto from = thesis.place_of(j);
            const auto to = thesis.place_of(k);
            ASSERT_EQ(r.hops(j, k), thesis.messages(from, to)) << r;
            if (j == k) continue;
            ASSERT_EQ(r.next(j, k).pe, thesis.pe_at(thesis.next_in_grid(from, to))) << r;
          }
        }
      });
    }
  }
}

// Section 3.3.2.
TEST(grid, has_one_link_less_than_its_size_per_dimension) {
  const std::vector<std::pair<grid_sizes, std::size_t>> known{
      {{16, 16, 16, 16}, 60}, {{32, 32, 32}, 93}, {{8, 8}, 14}, {{64}, 63}, {{2, 1, 3}, 3}};
  for (const auto& [sizes, links] : known) {
    const route r = grid_of(sizes);
    for (const int pe : {0, r.pes() / 2, r.pes() - 1}) EXPECT_EQ(r.links(pe).size(), links) << r;
  }
}

// Table 3.2, where 8.80 % is printed as 8.3 %.
TEST(grid, delivers_within_the_hops_of_table_3_2) {
  const auto distribution = [](const grid_sizes& sizes) {
    const route r = grid_of(sizes);
    std::vector<int> pes_at(sizes.size() + 1);
    for (int to = 0; to < r.pes(); ++to) ++pes_at[static_cast<std::size_t>(r.hops(0, to))];
    return pes_at;
  };
  EXPECT_EQ(distribution({32, 32, 32}), (std::vector{1, 93, 2883, 29791}));
  EXPECT_EQ(distribution({16, 16, 16, 16}), (std::vector{1, 60, 1350, 13500, 50625}));
}

// Equations 3.4 and 3.6 by counting: pairs over the same link, and pairs along a line.
TEST(grid, carries_the_loads_of_section_3_4_5) {
  const grid_sizes sizes{4, 4, 8};
  const route r = grid_of(sizes);
  const thesis_routing thesis(sizes);
  std::map<std::pair<int, int>, int> pairs_on;  // by the ends of the link
  for (int from = 0; from < r.pes(); ++from) {
    for (int to = 0; to < r.pes(); ++to) {
      for (int at = from; at != to;) {
        const int next = r.next(at, to).pe;
        ++pairs_on[{at, next}];
        at = next;
      }
    }
  }
  const std::vector<int> per_link{32, 32, 16};
  const std::vector<int> per_line{384, 384, 896};
  std::map<std::vector<int>, int> on_line;  // a line: coordinates, with -1 along it
  for (const auto& [ends, pairs] : pairs_on) {
    auto line = thesis.place_of(ends.first);
    const auto other = thesis.place_of(ends.second);
    std::size_t d = 0;
    while (line[d] == other[d]) ++d;
    ASSERT_EQ(pairs, per_link[d]) << "along dimension " << d;
    line[d] = -1;
    on_line[line] += pairs;
  }
  EXPECT_EQ(pairs_on.size(), static_cast<std::size_t>(128 * (3 + 3 + 7)));
  for (const auto& [line, pairs] : on_line) {
    const auto d = static_cast<std::size_t>(std::find(line.begin(), line.end(), -1) - line.begin());
    ASSERT_EQ(pairs, per_line[d]) << "along dimension " << d;
  }
}

// An item takes no more hops than its differing coordinates, though stops are missing, and there
// are no more links than in a complete grid.
TEST(incomplete_grid, makes_no_detours) {
  for (const grid_sizes& slab :
       std::vector<grid_sizes>{{4}, {3, 3}, {2, 2, 2}, {4, 3}, {2, 5, 2}}) {
    for (int pes = product(slab) + 1; pes <= 5 * product(slab); ++pes) {
      grid_sizes sizes = slab;
      sizes.insert(sizes.begin(), 0);
      const route r = route::grid(pes, sizes);
      sizes[0] = (pes + product(slab) - 1) / product(slab);
      const thesis_routing thesis(sizes);
      std::size_t max_links = 0;
      for (const int s : sizes) max_links += static_cast<std::size_t>(s - 1);
      for (int from = 0; from < pes; ++from) {
        ASSERT_LE(r.links(from).size(), max_links) << r;
        for (int to = 0; to < pes; ++to) {
          ASSERT_EQ(r.hops(from, to), thesis.messages(thesis.place_of(from), thesis.place_of(to)))
              << r << " from " << from << " to " << to;
        }
      }
    }
  }
}

TEST(incomplete_grid, that_happens_to_be_complete_is_like_any_other) {
  const route chosen = route::grid(60, {0, 4, 5});
  const route given = route::grid(60, {3, 4, 5});
  EXPECT_EQ(chosen.describe(), given.describe());
  EXPECT_EQ(chosen.stages(), 3);
}

// The conveyors' routes of one and two hops are grids.
TEST(direct, and_matrix_are_grids_of_one_and_two_dimensions) {
  for (int from = 0; from < 24; ++from) {
    for (int to = 0; to < 24; ++to) {
      EXPECT_EQ(route::direct(24).next(from, to), route::grid(24, {24}).next(from, to));
      EXPECT_EQ(route::matrix(24, 6).next(from, to), route::grid(24, {4, 6}).next(from, to));
    }
  }
}

}  // namespace
}  // namespace boxcar::test::grid_route_test
