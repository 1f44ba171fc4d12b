// Tests of the nodes of PEs, for any distribution over nodes.
#include "substrate/node_layout.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test::node_layout_test {
namespace {

using detail::node_layout;

node_layout layout_of(const std::vector<int>& nodes) {
  node_layout::builder all;
  for (const int node : nodes) all.add(static_cast<std::uint64_t>(node) + 100);
  return std::move(all).build();
}

// Checks the layout by counting.
void expect_right(const node_layout& layout, const std::vector<int>& given) {
  ASSERT_EQ(layout.pes(), static_cast<int>(given.size()));
  std::vector<int> seen;   // of the given nodes, in the order of their numbers
  std::vector<int> sizes;  // so far
  for (int pe = 0; pe < layout.pes(); ++pe) {
    const int node = given[static_cast<std::size_t>(pe)];
    const auto found = std::ranges::find(seen, node);
    const auto number = static_cast<std::size_t>(found - seen.begin());
    if (found == seen.end()) {
      seen.push_back(node);
      sizes.push_back(0);
    }
    ASSERT_EQ(layout.node_of(pe), static_cast<int>(number)) << "PE " << pe;
    ASSERT_EQ(layout.local_rank(pe), sizes[number]) << "PE " << pe;
    ASSERT_EQ(layout.pe_at(static_cast<int>(number), sizes[number]), pe);
    ++sizes[number];
  }
  ASSERT_EQ(layout.nodes(), static_cast<int>(seen.size()));
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    ASSERT_EQ(layout.local_size(static_cast<int>(node)), sizes[node]) << "node " << node;
  }
  for (int group = 1; group <= layout.pes(); ++group) {
    bool together = true;
    for (int pe = 0; pe < layout.pes(); ++pe) {
      together = together && layout.node_of(pe) == layout.node_of(pe / group * group);
    }
    ASSERT_EQ(layout.keeps_together(group), together) << "groups of " << group;
  }
}

TEST(node_layout, of_any_sort_is_right) {
  for (const std::vector<int>& nodes : std::vector<std::vector<int>>{{0},
                                                                     {5, 5, 5},
                                                                     {0, 0, 1, 1, 2, 2},
                                                                     {0, 0, 0, 1, 1, 1, 2},
                                                                     {0, 1, 2, 0, 1, 2, 0},
                                                                     {0, 0, 1, 1, 0, 0, 1, 1, 0},
                                                                     {0, 0, 1, 1, 1},
                                                                     {3, 1, 3, 3, 2, 1},
                                                                     {0, 1, 0, 1, 1}}) {
    expect_right(layout_of(nodes), nodes);
  }
}

TEST(node_layout, of_any_other_sort_is_right) {
  dice d(program_seed(7));
  for (int round = 0; round < 200; ++round) {
    std::vector<int> nodes(static_cast<std::size_t>(1 + d.below(30)));
    for (int& node : nodes) node = d.below(1 + round % 5);
    expect_right(layout_of(nodes), nodes);
  }
}

TEST(node_layout, of_pretended_nodes_is_spread_evenly) {
  for (int pes = 1; pes < 20; ++pes) {
    for (int count = 1; count <= pes; ++count) {
      std::vector<int> nodes;
      for (int pe = 0; pe < pes; ++pe) nodes.push_back(pe * count / pes);
      expect_right(node_layout::spread(pes, count), nodes);
    }
  }
}

// A million PEs, in blocks or in turns, with a last node that lacks some.
TEST(node_layout, of_alike_nodes_takes_no_memory) {
  constexpr int pes = 1'000'003;
  node_layout::builder blocks;
  node_layout::builder turns;
  for (int pe = 0; pe < pes; ++pe) {
    blocks.add(static_cast<std::uint64_t>(pe / 64));
    turns.add(static_cast<std::uint64_t>(pe % 15'626));
  }
  for (const node_layout& layout : {std::move(blocks).build(), std::move(turns).build()}) {
    EXPECT_EQ(layout.memory_bytes(), 0U);
    EXPECT_EQ(layout.nodes(), (pes + 63) / 64);
  }
}

TEST(node_layout, tells_how_many_pes_a_node_has_if_all_have_as_many) {
  EXPECT_EQ(layout_of({0, 0, 1, 1}).pes_per_node(), 2);
  EXPECT_EQ(layout_of({0, 0, 1}).pes_per_node(), 0);
  EXPECT_EQ(layout_of({0, 0, 1}).pes_per_node_but_last(), 2);
  EXPECT_EQ(layout_of({0, 1, 0, 1}).pes_per_node(), 0);
  EXPECT_EQ(layout_of({0, 1, 0, 1}).pes_per_node_but_last(), 0);
  EXPECT_EQ(layout_of({0, 0, 0}).pes_per_node(), 3);
}

}  // namespace
}  // namespace boxcar::test::node_layout_test
