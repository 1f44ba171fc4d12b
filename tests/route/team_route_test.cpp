// Tests of node-aware teams against tram-thesis-2014, chapter 5.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include <boxcar/route.hpp>

#include "grid/factorisations.hpp"
#include "route/thesis_routing.hpp"

namespace boxcar::test::team_route_test {
namespace {

using place = thesis_routing::place;

int product(const grid_sizes& sizes) {
  int p = 1;
  for (const int s : sizes) p *= s;
  return p;
}

route teams_of(const grid_sizes& sizes) {
  return route::teams(product(sizes), sizes);
}

route specialised_teams_of(const grid_sizes& sizes) {
  return route::specialised_teams(product(sizes), sizes);
}

// Sizes that divide evenly, and sizes that do not: 2x4 and 2x5 broke the implementation of the
// thesis.
const std::vector<grid_sizes> worlds{{2, 4},    {2, 5},    {3, 2},    {7, 3},       {5, 9},
                                     {2, 3, 3}, {3, 4, 8}, {4, 3, 7}, {2, 2, 2, 4}, {3, 2, 2, 9},
                                     {2, 3, 8}, {16, 8},   {8},       {1, 6}};

TEST(teams, go_where_algorithm_1_says) {
  for (const grid_sizes& sizes : worlds) {
    const route r = teams_of(sizes);
    const thesis_routing thesis(sizes);
    for (int j = 0; j < r.pes(); ++j) {
      for (int k = 0; k < r.pes(); ++k) {
        if (j == k) continue;
        ASSERT_EQ(thesis.place_of(r.next(j, k).pe),
                  thesis.next_for_team(thesis.place_of(j), thesis.place_of(k)))
            << r << ", from " << j << " to " << k;
      }
    }
  }
}

TEST(specialised_teams, go_where_algorithms_2_to_4_say) {
  for (const grid_sizes& sizes : worlds) {
    const route r = specialised_teams_of(sizes);
    const thesis_routing thesis(sizes);
    for (int j = 0; j < r.pes(); ++j) {
      for (int k = 0; k < r.pes(); ++k) {
        if (j == k) continue;
        ASSERT_EQ(thesis.place_of(r.next(j, k).pe),
                  thesis.next_for_specialised_team(thesis.place_of(j), thesis.place_of(k)))
            << r << ", from " << j << " to " << k;
      }
    }
  }
}

// The stops of an item, with its source.
std::vector<place> stops(const route& r, const thesis_routing& thesis, const place& from,
                         const place& to) {
  std::vector<place> all{from};
  for (int at = thesis.pe_at(from); at != thesis.pe_at(to);) {
    at = r.next(at, thesis.pe_at(to)).pe;
    all.push_back(thesis.place_of(at));
  }
  return all;
}

TEST(teams, take_the_two_ways_of_table_5_1) {
  const grid_sizes sizes{3, 4, 5, 8};
  const thesis_routing thesis(sizes);
  const route original = route::grid(product(sizes), sizes);
  const route aware = teams_of(sizes);
  const int a = 0, b = 1, c = 2, w = 2, x = 3, y = 4;
  for (int d = 0; d < 8; ++d) {
    for (int z = 0; z < 8; ++z) {
      const place from{a, b, c, d};
      const place to{w, x, y, z};
      std::vector<place> expected{from, {a, b, c, z}, {a, b, y, z}, {a, x, y, z}, to};
      if (d == z) expected.erase(expected.begin());
      EXPECT_EQ(stops(original, thesis, from, to), expected);

      const int member = d % 2;
      expected = {from,
                  {a, b, c, 4 + member},
                  {a, b, y, 2 + member},
                  {a, x, y, member},
                  {w, x, y, 6 + member},
                  to};
      // An item makes no stop where it is already.
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      EXPECT_EQ(stops(aware, thesis, from, to), expected);
    }
  }
}

// The dimensions of the links between nodes that leave a PE, or arrive at a PE.
std::set<std::size_t> dimensions_of(const std::vector<hop>& links, const thesis_routing& thesis,
                                    int pe) {
  const place here = thesis.place_of(pe);
  std::set<std::size_t> found;
  for (const hop& link : links) {
    const place there = thesis.place_of(link.pe);
    for (std::size_t d = 0; d + 1 < here.size(); ++d) {
      if (here[d] != there[d]) found.insert(d);
    }
  }
  return found;
}

TEST(teams, have_the_assignments_of_table_5_2) {
  const grid_sizes sizes{2, 3, 2, 8};
  const thesis_routing thesis(sizes);
  using dimensions = std::set<std::size_t>;
  // Links along dimension 3 stay within the node, and lead to every PE of the node.
  const std::vector<dimensions> sends{{0}, {1}, {2}, {}};
  const std::vector<dimensions> receives{{1}, {2}, {}, {0}};
  for (const route& r : {teams_of(sizes), specialised_teams_of(sizes)}) {
    for (int pe = 0; pe < r.pes(); ++pe) {
      const auto team = static_cast<std::size_t>(pe % 8 / 2);
      const dimensions leaving = dimensions_of(r.links(pe), thesis, pe);
      const dimensions arriving = dimensions_of(r.links_from_others(pe), thesis, pe);
      const bool specialised = r.stages() == 12;
      if (!specialised) {
        EXPECT_EQ(leaving, sends[team]) << r << ", PE " << pe;
        EXPECT_EQ(arriving, receives[team]) << r << ", PE " << pe;
      }
      // A specialised PE may have no coordinate to send to, or to receive from, but no further
      // coordinates.
      for (const std::size_t d : leaving) EXPECT_TRUE(sends[team].contains(d));
      for (const std::size_t d : arriving) EXPECT_TRUE(receives[team].contains(d));
    }
  }
}

// Section 5.5.2: s_x + N - 2 buffers for a PE that is assigned to dimension x.
TEST(teams, need_the_buffers_of_section_5_5_2) {
  for (const grid_sizes& sizes : worlds) {
    const route r = teams_of(sizes);
    const auto n = sizes.size();
    const auto per_node = static_cast<std::size_t>(sizes.back());
    for (int pe = 0; pe < r.pes(); ++pe) {
      const std::size_t x = static_cast<std::size_t>(pe) % per_node / (per_node / n);
      const std::size_t expected =
          x < n ? static_cast<std::size_t>(sizes[x]) + n - 2 : n;  // or in no team
      ASSERT_EQ(r.links(pe).size(), expected) << r << ", PE " << pe;
    }
  }
}

// Section 5.5.2: about s_x/T + N - 2 + T - 1. The members of a team share the s_x - 1 other
// coordinates; a member that has its node's own coordinate in its share has one less.
TEST(specialised_teams, need_the_buffers_of_section_5_5_2) {
  for (const grid_sizes& sizes : worlds) {
    const route r = specialised_teams_of(sizes);
    const int n = static_cast<int>(sizes.size());
    const int team_size = sizes.back() / n;
    for (int pe = 0; pe < r.pes(); ++pe) {
      const int x = pe % sizes.back() / team_size;
      if (x >= n) continue;
      const int share = (sizes[static_cast<std::size_t>(x)] + team_size - 1) / team_size;
      ASSERT_LE(static_cast<int>(r.links(pe).size()), share + n - 1 + team_size - 1) << r;
    }
  }
}

// No two PEs of a node fill buffers for the same coordinate.
TEST(specialised_teams, send_to_each_neighbouring_node_from_one_pe) {
  for (const grid_sizes& sizes : worlds) {
    const route r = specialised_teams_of(sizes);
    const int per_node = sizes.back();
    for (int node = 0; node < r.pes() / per_node; ++node) {
      std::multiset<int> nodes_sent_to;
      for (int local = 0; local < per_node; ++local) {
        for (const hop& link : r.links(node * per_node + local)) {
          if (link.pe / per_node != node) nodes_sent_to.insert(link.pe / per_node);
        }
      }
      for (const int other : nodes_sent_to) ASSERT_EQ(nodes_sent_to.count(other), 1U) << r;
    }
  }
}

// Section 5.5.1: one hop more than the grid at most at the source and another at the end, if all
// coordinates differ; fewer if the item is with the right team already.
TEST(teams, need_about_one_hop_more_than_the_grid) {
  const grid_sizes sizes{4, 5, 9};
  const route grid = route::grid(product(sizes), sizes);
  const route aware = teams_of(sizes);
  for (int from = 0; from < grid.pes(); ++from) {
    for (int to = 0; to < grid.pes(); ++to) {
      ASSERT_LE(aware.hops(from, to), 2 * grid.hops(from, to) + 1) << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace boxcar::test::team_route_test
