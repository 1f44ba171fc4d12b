// Sub-worlds.
#include <algorithm>
#include <climits>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::split_test {
namespace {

class split : public testing::TestWithParam<world_shape> {};

TEST_P(split, by_color_keeps_the_order) {
  run_on(GetParam(), [](world& w) {
    for (const int colors : {1, 2, 3, w.size()}) {
      std::optional<world> part = w.split(w.rank() % colors);
      ASSERT_TRUE(part.has_value());
      const int color = w.rank() % colors;
      EXPECT_EQ(part->size(), (w.size() - color + colors - 1) / colors);
      EXPECT_EQ(part->rank(), w.rank() / colors);
      const std::vector<int> members = part->all_gather(w.rank());
      for (int pe = 0; pe < part->size(); ++pe) {
        EXPECT_EQ(members[static_cast<std::size_t>(pe)], color + pe * colors);
      }
    }
  });
}

TEST_P(split, worlds_that_were_moved_from_are_refused) {
  run_on(GetParam(), [](world& w) {
    world part = *w.split(0);
    world moved(std::move(part));
    // NOLINTBEGIN(bugprone-use-after-move)
    for (const std::function<void()>& use : std::initializer_list<std::function<void()>>{
             [&] { static_cast<void>(part.rank()); }, [&] { part.barrier(); },
             [&] { static_cast<void>(part.reduce(1)); }, [&] { static_cast<void>(part.now()); },
             [&] { part.take_over(); }, [&] { const conveyor<int> c(part); }}) {
      expect_mentions(thrown_by<contract_error>(use), {"the world has been moved from"});
    }
    // NOLINTEND(bugprone-use-after-move)
    part = std::move(moved);
    EXPECT_EQ(part.reduce(1), w.size());
  });
}

TEST_P(split, by_key_orders) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> reversed = w.split(5, -w.rank());
    EXPECT_EQ(reversed->rank(), w.size() - 1 - w.rank());
    EXPECT_EQ(reversed->broadcast(w.rank(), 0), w.size() - 1);

    // Equal keys: order by rank. The most extreme keys are keys like others.
    std::optional<world> odd_first = w.split(5, w.rank() % 2 == 1 ? INT_MIN : INT_MAX);
    std::vector<int> expected;
    for (int pe = 1; pe < w.size(); pe += 2) expected.push_back(pe);
    for (int pe = 0; pe < w.size(); pe += 2) expected.push_back(pe);
    EXPECT_EQ(odd_first->all_gather(w.rank()), expected);
  });
}

TEST_P(split, without_a_color_gives_nothing) {
  run_on(GetParam(), [](world& w) {
    EXPECT_FALSE(w.split(-1).has_value());
    std::optional<world> last = w.split(w.rank() == w.size() - 1 ? INT_MAX : INT_MIN);
    ASSERT_EQ(last.has_value(), w.rank() == w.size() - 1);
    if (last.has_value()) {
      EXPECT_EQ(last->size(), 1);
      EXPECT_EQ(last->rank(), 0);
      EXPECT_EQ(last->nodes(), 1);
      last->barrier();
      EXPECT_EQ(last->reduce(7), 7);
    }
  });
}

TEST_P(split, of_parts) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> part = w.split(0);
    for (int depth = 0; part->size() > 1; ++depth) {
      part = part->split(part->rank() * 2 / part->size(), depth % 2 == 0 ? -part->rank() : 0);
      ASSERT_TRUE(part.has_value());
      EXPECT_EQ(part->reduce(1), part->size());
    }
    EXPECT_EQ(w.reduce(1), w.size());
  });
}

TEST_P(split, keeps_nodes_together) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> part = w.split(w.rank() % 2, -w.rank());
    const std::vector<int> members = part->all_gather(w.rank());
    int nodes_so_far = 0;
    for (int pe = 0; pe < part->size(); ++pe) {
      const int there = members[static_cast<std::size_t>(pe)];
      EXPECT_EQ(part->is_local(pe), w.is_local(there));
      // Numbered in the order of the lowest rank in the part.
      EXPECT_LE(part->node_of(pe), nodes_so_far);
      nodes_so_far = std::max(nodes_so_far, part->node_of(pe) + 1);
    }
    EXPECT_EQ(part->nodes(), nodes_so_far);
    EXPECT_EQ(part->substrate_name(), w.substrate_name());
  });
}

// Collectives of different worlds may overlap: the PEs of one subworld are ahead of another's.
TEST_P(split, makes_independent_worlds) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> a = w.split(w.rank() % 2);
    std::optional<world> b = w.split(w.rank() / 2);
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(a->broadcast(w.rank() % 2 + round), w.rank() % 2 + round);
      if (w.rank() % 2 == 0) {
        EXPECT_EQ(a->reduce(1), a->size());
      }
      EXPECT_EQ(b->broadcast(w.rank() / 2 - round), w.rank() / 2 - round);
    }
    EXPECT_EQ(w.reduce(1), w.size());
  });
}

TEST_P(split, outlives_what_was_split) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> part;
    {
      world whole(std::move(w));
      part = whole.split(0);
      part = part->split(0, -part->rank());
    }
    EXPECT_EQ(part->reduce(1), part->size());
  });
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// The PEs count one at a time, because threads share their descriptors.
std::ptrdiff_t open_descriptors_of_all(world& w) {
  std::ptrdiff_t mine = 0;
  for (int pe = 0; pe < w.size(); ++pe) {
    w.barrier();
    if (pe == w.rank()) mine = open_descriptors();
  }
  return w.reduce(mine);
}

TEST_P(split, leaves_no_descriptor_open) {
  run_on(GetParam(), [](world& w) {
    const auto use_a_part = [&w](bool dynamic_memory) {
      std::optional<world> part = w.split(w.rank() % 3);
      conveyor<int> c(*part, {.dynamic_memory = dynamic_memory});
      const session s = c.begin();
      while (c.advance(true)) {
      }
    };
    use_a_part(true);  // MPI makes a connection at its first use, and keeps it
    use_a_part(false);
    const std::ptrdiff_t before = open_descriptors_of_all(w);
    for (int i = 0; i < 10; ++i) use_a_part(i % 2 == 0);
    EXPECT_EQ(open_descriptors_of_all(w), before);
  });
}

INSTANTIATE_TEST_SUITE_P(world, split, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::split_test
