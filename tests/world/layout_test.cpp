// Ranks, sizes and nodes.
#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::layout_test {
namespace {

class layout : public testing::TestWithParam<world_shape> {};

std::vector<std::string_view> names_of(substrate_kind kind) {
  switch (kind) {
    case substrate_kind::threads:
      return {"threads"};
    case substrate_kind::processes:
      return {"processes"};
    case substrate_kind::simulated:
      return {"simulated"};
    case substrate_kind::cluster:
      break;
  }
  return {"mpi", "shmem"};
}

// 1 to 12 PEs on every possible number of nodes, and some larger worlds.
std::vector<world_shape> many_shapes() {
  std::vector<world_shape> shapes = all_shapes();
  for (int pes = 1; pes <= 12; ++pes) {
    for (int nodes = 1; nodes <= pes; ++nodes) {
      shapes.push_back({substrate_kind::threads, pes, nodes});
      if (pes == 5 || pes == 7) shapes.push_back({substrate_kind::processes, pes, nodes});
    }
  }
  // Some are in both lists.
  const auto name_is_less = [](const auto& a, const auto& b) { return name_of(a) < name_of(b); };
  const auto name_is_same = [](const auto& a, const auto& b) { return name_of(a) == name_of(b); };
  std::sort(shapes.begin(), shapes.end(), name_is_less);
  shapes.erase(std::unique(shapes.begin(), shapes.end(), name_is_same), shapes.end());
  return shapes;
}

TEST_P(layout, ranks_count_from_zero) {
  shared_array<std::atomic<int>> seen(static_cast<std::size_t>(GetParam().pes));
  run_on(GetParam(), [&](world& w) {
    EXPECT_EQ(w.size(), GetParam().pes);
    ASSERT_GE(w.rank(), 0);
    ASSERT_LT(w.rank(), w.size());
    ++seen[w.rank()];
    EXPECT_EQ(std::ranges::count(names_of(GetParam().substrate), w.substrate_name()), 1);
  });
  for (int pe = 0; pe < GetParam().pes; ++pe) EXPECT_EQ(seen[pe], 1);
}

TEST_P(layout, nodes_are_filled_evenly_in_the_order_of_ranks) {
  run_on(GetParam(), [](world& w) {
    EXPECT_EQ(w.nodes(), GetParam().nodes);
    EXPECT_EQ(w.node_of(0), 0);
    EXPECT_EQ(w.node_of(w.size() - 1), w.nodes() - 1);
    std::vector<int> pes_on(static_cast<std::size_t>(w.nodes()));
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_GE(w.node_of(pe), w.node_of(std::max(pe - 1, 0)));
      ++pes_on[static_cast<std::size_t>(w.node_of(pe))];
    }
    const auto [fewest, most] = std::minmax_element(pes_on.begin(), pes_on.end());
    EXPECT_GE(*fewest, 1);
    EXPECT_LE(*most - *fewest, 1);
  });
}

TEST_P(layout, local_means_on_the_same_node) {
  run_on(GetParam(), [](world& w) {
    EXPECT_EQ(w.node(), w.node_of(w.rank()));
    int local = 0;
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_EQ(w.is_local(pe), w.node_of(pe) == w.node());
      if (pe == w.rank()) {
        EXPECT_EQ(w.local_rank(), local);
      }
      local += w.is_local(pe) ? 1 : 0;
    }
    EXPECT_EQ(w.local_size(), local);
  });
}

TEST_P(layout, is_the_same_for_all) {
  run_on(GetParam(), [](world& w) {
    const std::vector<int> nodes = w.all_gather(w.node());
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_EQ(nodes[static_cast<std::size_t>(pe)], w.node_of(pe));
    }
  });
}

TEST_P(layout, of_pes_out_of_range_is_refused) {
  run_on(GetParam(), [](world& w) {
    for (const int pe : {-1, w.size()}) {
      const std::initializer_list<std::string_view> mentions{"there is no PE"};
      expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(w.node_of(pe)); }),
                      mentions);
      expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(w.is_local(pe)); }),
                      mentions);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(world, layout, testing::ValuesIn(many_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::layout_test
