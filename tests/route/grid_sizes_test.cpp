// Choosing and changing the sizes of grids.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include <boxcar/error.hpp>
#include <boxcar/grid_sizes.hpp>
#include <boxcar/route.hpp>

#include "grid/candidate_grids.hpp"
#include "grid/factorisations.hpp"
#include "route/thesis_routing.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::grid_sizes_test {
namespace {

int product(const grid_sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
}

TEST(candidate_grids, have_the_node_last_as_long_as_there_are_nodes_enough) {
  EXPECT_EQ(detail::candidate_grids(1, 1), (std::vector<grid_sizes>{{1}}));
  EXPECT_EQ(detail::candidate_grids(6, 1), (std::vector<grid_sizes>{{6}, {3, 2}}));
  EXPECT_EQ(detail::candidate_grids(32, 8),
            (std::vector<grid_sizes>{{32}, {4, 8}, {2, 2, 8}, {4, 2, 2, 2}, {2, 2, 2, 2, 2}}));
}

// A node of 100,003 PEs cannot be a dimension: the number is prime.
TEST(candidate_grids, end_with_few_links_for_any_numbers) {
  for (const int per_node : {1, 2, 24, 127, 100'003, 524'288}) {
    for (const int nodes : {1, 2, 7, 1024, 8191, 100'003, 1'048'573}) {
      if (std::int64_t{nodes} * per_node > 1 << 20) continue;
      const std::vector<grid_sizes> all = detail::candidate_grids(nodes * per_node, per_node);
      const grid_sizes& last = all.back();
      EXPECT_LT(std::accumulate(last.begin(), last.end(), 0), 400) << to_text(last);
    }
  }
}

TEST(divisors, are_all_of_them_in_order) {
  EXPECT_EQ(detail::divisors(1), (std::vector{1}));
  EXPECT_EQ(detail::divisors(13), (std::vector{1, 13}));
  EXPECT_EQ(detail::divisors(36), (std::vector{1, 2, 3, 4, 6, 9, 12, 18, 36}));
}

TEST(factorisations, are_all_sequences_with_that_product) {
  const auto all = [](int number, int factors, int least) {
    std::set<grid_sizes> found;
    detail::for_each_factorisation(number, factors, least,
                                   [&](const grid_sizes& f) { found.insert(f); });
    return found;
  };
  EXPECT_EQ(all(6, 2, 1), (std::set<grid_sizes>{{1, 6}, {2, 3}, {3, 2}, {6, 1}}));
  EXPECT_EQ(all(12, 3, 2), (std::set<grid_sizes>{{2, 2, 3}, {2, 3, 2}, {3, 2, 2}}));
  EXPECT_EQ(all(7, 2, 2), (std::set<grid_sizes>{}));
}

TEST(dimensions, merge_and_split) {
  EXPECT_EQ(merge_dimensions({4, 4, 8}, 0), (grid_sizes{16, 8}));
  EXPECT_EQ(merge_dimensions({4, 4, 8}, 1), (grid_sizes{4, 32}));
  EXPECT_EQ(split_dimension({16, 64}, 1, 8), (grid_sizes{16, 8, 8}));
  EXPECT_EQ(split_dimension({16, 64}, 0, 4), (grid_sizes{4, 4, 64}));
  expect_mentions(thrown_by<argument_error>([] {
                    (void)merge_dimensions({4, 8}, 1);
                  }),
                  {"dimension 1", "4 x 8", "0 to 0"});
  expect_mentions(thrown_by<argument_error>([] {
                    (void)split_dimension({4, 8}, 2, 2);
                  }),
                  {"dimension 2", "4 x 8"});
  expect_mentions(thrown_by<argument_error>([] {
                    (void)split_dimension({4, 8}, 1, 3);
                  }),
                  {"size 8", "by 3", "1, 2, 4, 8"});
}

TEST(dimensions, of_table_4_1_come_from_merging_and_splitting) {
  const grid_sizes job{4, 4, 4, 8, 2, 16};  // A to E of a Blue Gene/Q partition of 1024 nodes, T
  const std::vector<grid_sizes> printed{
      {1024 * 16}, {1024, 16}, {64, 16, 16}, {16, 4, 16, 16}, {16, 4, 16, 4, 4}};
  grid_sizes sizes = split_dimension(job, 5, 4);
  sizes = merge_dimensions(sizes, 3);
  sizes = merge_dimensions(sizes, 0);
  EXPECT_EQ(sizes, printed[4]);
  const auto minimal = minimal_grids({4, 4, 4, 8, 2}, 16);
  for (const grid_sizes& one : printed) {
    EXPECT_NE(std::find(minimal.begin(), minimal.end(), one), minimal.end()) << to_text(one);
  }
}

TEST(balanced_grid, is_what_one_would_choose) {
  EXPECT_EQ(balanced_grid(64, 2), (grid_sizes{8, 8}));
  EXPECT_EQ(balanced_grid(64, 3), (grid_sizes{4, 4, 4}));
  EXPECT_EQ(balanced_grid(65536, 4), (grid_sizes{16, 16, 16, 16}));
  EXPECT_EQ(balanced_grid(128, 3, 8), (grid_sizes{4, 4, 8}));
  EXPECT_EQ(balanced_grid(1024, 2, 16), (grid_sizes{64, 16}));
  EXPECT_EQ(balanced_grid(7, 1), (grid_sizes{7}));
  // With one node, or one PE on each, the node is no dimension of its own.
  EXPECT_EQ(balanced_grid(64, 2, 64), (grid_sizes{8, 8}));
  EXPECT_EQ(balanced_grid(64, 2, 1), (grid_sizes{8, 8}));
}

TEST(balanced_grid, has_an_incomplete_slab_if_the_number_does_not_factor_well) {
  EXPECT_EQ(balanced_grid(17, 2), (grid_sizes{5, 4}));
  const grid_sizes thousand = balanced_grid(1009, 3);
  EXPECT_LE(std::accumulate(thousand.begin(), thousand.end(), 0), 32);
  EXPECT_EQ(balanced_grid(17 * 4, 3, 4).back(), 4);
}

// For every number, all PEs have a place, the last slab is not empty, and the links are hardly more
// than they would be for a perfect power.
TEST(balanced_grid, works_for_every_number) {
  for (int pes = 1; pes <= 1200; ++pes) {
    for (int dimensions = 1; dimensions <= 4; ++dimensions) {
      const grid_sizes sizes = balanced_grid(pes, dimensions);
      ASSERT_EQ(sizes.size(), static_cast<std::size_t>(dimensions));
      const int slab = product(sizes) / sizes[0];
      ASSERT_TRUE(slab * (sizes[0] - 1) < pes && pes <= product(sizes)) << to_text(sizes);
      const double least = dimensions * (std::pow(pes, 1.0 / dimensions) - 1);
      const int links = std::accumulate(sizes.begin(), sizes.end(), 0) - dimensions;
      ASSERT_LE(links, 1.3 * least + 4) << pes << ": " << to_text(sizes);
      ASSERT_EQ(route::balanced(pes, dimensions).describe().find("grid " + to_text(sizes)), 0U);
    }
  }
  EXPECT_THROW((void)balanced_grid(0, 1), argument_error);
  EXPECT_THROW((void)balanced_grid(8, 0), argument_error);
  EXPECT_THROW((void)balanced_grid(8, 9), argument_error);
}

// Routes on a torus of nodes, and the distances of items on the torus.
class torus_of_nodes {
 public:
  torus_of_nodes(const grid_sizes& sizes, int pes_per_node)
      : nodes_(sizes), sizes_(sizes), pes_per_node_(pes_per_node) {}

  [[nodiscard]] int distance(int a, int b) const {
    const auto p = nodes_.place_of(a / pes_per_node_);
    const auto q = nodes_.place_of(b / pes_per_node_);
    int sum = 0;
    for (std::size_t d = 0; d < p.size(); ++d) {
      const int straight = std::abs(p[d] - q[d]);
      sum += std::min(straight, sizes_[d] - straight);
    }
    return sum;
  }

  [[nodiscard]] bool is_minimal(const route& r) const {
    for (int from = 0; from < r.pes(); ++from) {
      for (int to = 0; to < r.pes(); ++to) {
        int travelled = 0;
        for (int at = from; at != to;) {
          const int next = r.next(at, to).pe;
          travelled += distance(at, next);
          at = next;
        }
        if (travelled != distance(from, to)) return false;
      }
    }
    return true;
  }

 private:
  thesis_routing nodes_;
  grid_sizes sizes_;
  int pes_per_node_;
};

// The list has exactly the grids with minimal routes, out of all grids.
TEST(minimal_grids, are_those_of_all_grids_that_are_minimal) {
  const std::vector<std::pair<grid_sizes, int>> machines{
      {{4, 4}, 1}, {{4, 4}, 2}, {{5}, 4}, {{3, 4}, 4}, {{4, 6}, 1}, {{2, 4}, 4}, {{4, 4, 4}, 1}};
  for (const auto& [sizes, pes_per_node] : machines) {
    const torus_of_nodes torus(sizes, pes_per_node);
    const int pes = product(sizes) * pes_per_node;
    std::set<grid_sizes> expected;
    for (int dimensions = 1; dimensions <= 5; ++dimensions) {
      detail::for_each_factorisation(pes, dimensions, 2, [&](const grid_sizes& candidate) {
        if (torus.is_minimal(route::grid(pes, candidate))) expected.insert(candidate);
      });
    }
    const auto listed = minimal_grids(sizes, pes_per_node);
    EXPECT_EQ((std::set<grid_sizes>(listed.begin(), listed.end())), expected)
        << to_text(sizes) << " nodes of " << pes_per_node;
    EXPECT_EQ(listed.size(), expected.size()) << "none twice";
    EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end(),
                               [](const auto& a, const auto& b) { return a.size() < b.size(); }));
  }
}

TEST(minimal_grids, of_one_pe_is_one) {
  EXPECT_EQ(minimal_grids({1}, 1), (std::vector<grid_sizes>{{1}}));
  EXPECT_THROW((void)minimal_grids({}, 1), argument_error);
  EXPECT_THROW((void)minimal_grids({4, 0}, 1), argument_error);
  EXPECT_THROW((void)minimal_grids({4}, 0), argument_error);
}

// Numbers with very many factorisations, and primes.
TEST(balanced_grid, is_found_for_any_number_of_pes) {
  for (const int pes : {65'537, 100'000, 100'003, 720'720, 997'920, 1'048'573, 1'048'576}) {
    for (int dimensions = 1; dimensions <= most_dimensions; ++dimensions) {
      const grid_sizes sizes = balanced_grid(pes, dimensions);
      std::int64_t slab = 1;
      for (std::size_t d = 1; d < sizes.size(); ++d) slab *= sizes[d];
      EXPECT_GE(slab * sizes[0], pes) << to_text(sizes);
      EXPECT_LT(slab * (sizes[0] - 1), pes) << to_text(sizes);
      // No dimension is much larger than if all were equal.
      const double even = std::pow(pes, 1.0 / dimensions);
      EXPECT_LE(*std::ranges::max_element(sizes), 2 * even + 3) << to_text(sizes);
    }
  }
}

}  // namespace
}  // namespace boxcar::test::grid_sizes_test
