// Tests of the order in which a porter goes through its links: PEs in step send to different nodes
// at any moment, equally many to each.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "porter/porter.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::link_order_test {
namespace {

// The PEs to which a PE has links.
enum class link_pattern {
  all,        // to every PE
  same_place  // to the PEs of all nodes at the PE's own place
};

std::string name_of(link_pattern p) {
  return p == link_pattern::all ? "all" : "same_place";
}

std::vector<shaped<link_pattern>> cases() {
  using enum substrate_kind;
  return on_shapes(or_cluster({{threads, 1, 1},
                               {threads, 4, 1},
                               {threads, 8, 2},
                               {threads, 8, 4},
                               {processes, 12, 3},
                               {threads, 12, 6},
                               {threads, 15, 5},
                               {threads, 7, 7}}),
                   std::vector{link_pattern::all, link_pattern::same_place});
}

std::vector<int> peers_of(world& w, link_pattern p) {
  const auto place = [&w](int pe) {
    int before = 0;
    for (int other = 0; other < pe; ++other) before += w.node_of(other) == w.node_of(pe) ? 1 : 0;
    return before;
  };
  std::vector<int> peers;
  for (int pe = 0; pe < w.size(); ++pe) {
    if (p == link_pattern::all || place(pe) == place(w.rank())) peers.push_back(pe);
  }
  return peers;
}

// (All nodes have as many.)
int pes_on_node(world& w) {
  int pes = 0;
  for (int pe = 0; pe < w.size(); ++pe) pes += w.node_of(pe) == w.node_of(w.rank()) ? 1 : 0;
  return pes;
}

class link_order : public testing::TestWithParam<shaped<link_pattern>> {};

TEST_P(link_order, spreads_over_all_nodes_at_any_moment) {
  const auto& [shape, pattern] = GetParam();
  if (shape.pes % shape.nodes != 0) return;
  run_on(shape, [pattern = pattern](world& w) {
    const std::vector<int> peers = peers_of(w, pattern);
    detail::link_plan plan;
    plan.outgoing = plan.incoming = peers;
    plan.buffer_bytes = 64;
    const detail::porter links(*w.substrate(), plan, true);
    std::vector<int> visited;  // nodes, in the order in which the PE sends to them
    std::vector<int> pes;
    links.visit_links([&](std::size_t link) {
      pes.push_back(peers[link]);
      visited.push_back(w.node_of(peers[link]));
    });
    ASSERT_EQ(pes.size(), peers.size());
    EXPECT_TRUE(std::ranges::is_permutation(pes, peers));
    const std::vector<std::vector<int>> all = w.all_gather(visited);
    for (std::size_t step = 0; step < peers.size(); ++step) {
      std::vector<int> senders(static_cast<std::size_t>(w.size()));  // to each node
      for (const std::vector<int>& one : all) ++senders[static_cast<std::size_t>(one[step])];
      EXPECT_EQ(*std::ranges::max_element(senders), pes_on_node(w)) << "step " << step;
    }
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(porter, link_order, testing::ValuesIn(cases()), by_name{});

}  // namespace
}  // namespace boxcar::test::link_order_test
