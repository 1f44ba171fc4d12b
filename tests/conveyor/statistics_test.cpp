// Tests that statistics add up over all PEs. (Every test with checked_conveyor compares the counts
// of a PE's own operations with the truth.)
#include <gtest/gtest.h>
#include <sstream>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/random_program.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::statistics_test {
namespace {

hop_statistics sum_over_pes(world& w, const hop_statistics& mine) {
  return {w.reduce(mine.local_buffers), w.reduce(mine.remote_buffers), w.reduce(mine.local_bytes),
          w.reduce(mine.remote_bytes), w.reduce(mine.capacity_bytes)};
}

// Returns whether the bytes sent are items and tags alone: nothing is compressed, or stays with its
// sender.
bool is_told_by_items(const conveyor_setup& setup) {
  return !setup.options.compress && !setup.elastic;
}

class statistics_of : public testing::TestWithParam<conveyor_setup> {};

TEST_P(statistics_of, all_pes_add_up) {
  const conveyor_setup& setup = GetParam();
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_conveyor c(w, setup, book);
    play(w, c, {program_seed(3), traffic::uniform, 50});
    const statistics mine = c.unchecked().session_statistics();
    const std::uint64_t pushes = w.reduce(mine.pushes);
    EXPECT_EQ(pushes, static_cast<std::uint64_t>(50 * w.size()));
    EXPECT_EQ(w.reduce(mine.pulls - mine.unpulls), pushes);
    EXPECT_GE(mine.syncs, 2U);

    ASSERT_FALSE(mine.hops.empty());
    for (const hop_statistics& hop : mine.hops) {
      const hop_statistics all = sum_over_pes(w, hop);
      // Other hops count only if they lead to another PE, unless all PEs go in step.
      const bool is_last = &hop == &mine.hops.back();
      const bool taken_by_all = is_last || advance_synchronises(setup.options);
      if (is_told_by_items(setup) && taken_by_all) {
        // Each item has a tag of the same length.
        EXPECT_EQ(all.bytes() % pushes, 0U);
        EXPECT_GE(all.bytes() / pushes, setup.item_bytes);
        EXPECT_LE(all.bytes() / pushes, setup.item_bytes + sizeof(std::uint32_t));
      }
      EXPECT_GE(all.capacity_bytes, all.bytes());
      if (taken_by_all) {
        EXPECT_GT(all.buffers(), 0U);
        EXPECT_GT(all.fill(), 0.0);
      }
      EXPECT_LE(all.fill(), 1.0);
      if (w.nodes() == 1) {
        EXPECT_EQ(all.remote_buffers, 0U);
        EXPECT_EQ(all.remote_bytes, 0U);
      }
    }
    // An item over one hop needs no tag.
    if (mine.hops.size() == 1 && is_told_by_items(setup)) {
      EXPECT_EQ(sum_over_pes(w, mine.hops[0]).bytes(), pushes * setup.item_bytes);
    }
  });
}

TEST_P(statistics_of, all_sessions_add_up) {
  const conveyor_setup& setup = GetParam();
  ledger book(setup.shape.pes);
  run_on(setup.shape, [&](world& w) {
    checked_conveyor c(w, setup, book);
    statistics sum;
    for (const traffic pattern : {traffic::uniform, traffic::nothing, traffic::to_one}) {
      play(w, c, {program_seed(4), pattern, 50});
      sum += c.unchecked().session_statistics();
    }
    const statistics total = c.unchecked().total_statistics();
    EXPECT_EQ(total.begins, 3U);
    EXPECT_EQ(total.begins, sum.begins);
    EXPECT_EQ(total.pushes, sum.pushes);
    EXPECT_EQ(total.blocked, sum.blocked);
    EXPECT_EQ(total.pulls, sum.pulls);
    EXPECT_EQ(total.unpulls, sum.unpulls);
    EXPECT_EQ(total.advances, sum.advances);
    EXPECT_EQ(total.syncs, sum.syncs);
    ASSERT_EQ(total.hops.size(), sum.hops.size());
    for (std::size_t hop = 0; hop < sum.hops.size(); ++hop) {
      EXPECT_EQ(total.hops[hop].local_buffers, sum.hops[hop].local_buffers);
      EXPECT_EQ(total.hops[hop].remote_buffers, sum.hops[hop].remote_buffers);
      EXPECT_EQ(total.hops[hop].local_bytes, sum.hops[hop].local_bytes);
      EXPECT_EQ(total.hops[hop].remote_bytes, sum.hops[hop].remote_bytes);
      EXPECT_EQ(total.hops[hop].capacity_bytes, sum.hops[hop].capacity_bytes);
    }
    EXPECT_EQ(total.memory_bytes, sum.memory_bytes);
  });
}

INSTANTIATE_TEST_SUITE_P(contract, statistics_of,
                         testing::ValuesIn(varied_setups(with_at_least(2, small_shapes()))),
                         by_name{});

// Items that leave out a hop do not travel over the hop.
TEST(statistics, tell_which_items_leave_hops_out) {
  constexpr int pes = 8;
  constexpr int group = 4;
  for (const int hops : {2, 3}) {
    run_on({substrate_kind::threads, pes, 1}, [&](world& w) {
      conveyor<std::uint64_t> c(w, {.hops = hops, .local_group = group});
      const session s = c.begin();
      for (int to = 0; to < pes; ++to) ASSERT_TRUE(c.push(1, to));
      std::uint64_t arrived = 0;
      std::uint64_t item = 0;
      while (c.advance(true)) {
        while (c.pull(item)) ++arrived;
      }
      EXPECT_EQ(arrived, std::uint64_t{pes});
      // The first of two hops leads to the column of the destination. The first of three hops leads
      // to the column of the number of the destination's group, and the second from there to the
      // group, unless the item begins there.
      std::uint64_t first = 0;
      std::uint64_t second = 0;
      for (int to = 0; to < pes; ++to) {
        first += (hops == 2 ? to % group : to / group) != w.rank() % group;
        second += hops == 2 || to / group != w.rank() / group;
      }
      const statistics mine = c.session_statistics();
      ASSERT_EQ(mine.hops.size(), static_cast<std::size_t>(hops));
      constexpr std::uint64_t packet = 1 + sizeof item;
      EXPECT_EQ(mine.hops.front().bytes(), first * packet);
      EXPECT_EQ(w.reduce(mine.hops[1].bytes()), w.reduce(second) * packet);
      EXPECT_EQ(w.reduce(mine.hops.back().bytes()), pes * pes * packet);
    });
  }
}

TEST(statistics, can_be_printed) {
  statistics s;
  s.pushes = 11;
  s.blocked = 12;
  s.pulls = 13;
  s.unpulls = 14;
  s.advances = 15;
  s.begins = 16;
  s.memory_bytes = 17;
  s.hops.push_back({.local_buffers = 18,
                    .remote_buffers = 19,
                    .local_bytes = 20,
                    .remote_bytes = 30,
                    .capacity_bytes = 100});
  std::ostringstream out;
  out << s;
  expect_mentions(out.str(), {"11 pushed", "12 blocked", "13 pulled", "14", "15 advances",
                              "16 sessions", "17 bytes", "18", "19", "20", "30", "50 %"});
}

TEST(statistics, of_no_buffers_have_no_fill) {
  EXPECT_EQ(hop_statistics{}.fill(), 0.0);
}

TEST(statistics, keep_the_memory_of_the_later_one) {
  statistics a;
  a.memory_bytes = 5;
  statistics b;
  b.memory_bytes = 3;
  a += b;
  EXPECT_EQ(a.memory_bytes, 3U);
}

}  // namespace
}  // namespace boxcar::test::statistics_test
