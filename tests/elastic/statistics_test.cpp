// Tests of the statistics of an elastic conveyor. (Every test with checked_elastic compares the
// counts of a PE's own operations with the truth.)
#include <gtest/gtest.h>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::statistics_test {
namespace {

constexpr std::size_t monster = 600'000;  // too large for any buffer

class elastic_statistics : public testing::TestWithParam<elastic_setup> {};

// Every packet passes every hop once, except hops before the last that would lead to the PE itself.
// Monsters pass as tickets.
TEST_P(elastic_statistics, of_all_pes_add_up_to_the_packets_on_every_hop) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book);
    c.in_session([&] {
      int left = 50 * w.size();
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(left % w.size())) --left;
        c.pull_all();
      }
    });
    const statistics mine = c.unchecked().session_statistics();
    EXPECT_EQ(w.reduce(mine.pushes), w.reduce(mine.pulls - mine.unpulls));
    const std::uint64_t packet_bytes = w.reduce(c.packet_bytes_pushed());
    ASSERT_EQ(mine.hops.size(), static_cast<std::size_t>(GetParam().options.hops));
    for (const hop_statistics& hop : mine.hops) {
      const std::uint64_t bytes = w.reduce(hop.bytes());
      if (&hop == &mine.hops.back()) {
        EXPECT_EQ(bytes, packet_bytes);
      } else {
        EXPECT_LE(bytes, packet_bytes);
      }
      EXPECT_GE(w.reduce(hop.capacity_bytes), bytes);
      if (w.nodes() == 1) {
        EXPECT_EQ(hop.remote_buffers, 0U);
      }
    }
  });
}

TEST_P(elastic_statistics, of_all_sessions_add_up) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book);
    statistics sum;
    for (int i = 0; i < 3; ++i) {
      c.in_session([&] {
        for (int pe = 0; pe < w.size(); ++pe) c.push_surely(pe);
        c.finish();
      });
      sum += c.unchecked().session_statistics();
    }
    const statistics total = c.unchecked().total_statistics();
    EXPECT_EQ(total.begins, 3U);
    EXPECT_EQ(total.pushes, sum.pushes);
    EXPECT_EQ(total.blocked, sum.blocked);
    EXPECT_EQ(total.pulls, sum.pulls);
    EXPECT_EQ(total.advances, sum.advances);
    EXPECT_EQ(total.hops.size(), sum.hops.size());
  });
}

// Monsters waiting to be fetched are memory of the sender.
TEST_P(elastic_statistics, count_monsters_as_memory_while_they_wait) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_elastic c(w, monster, GetParam().options, book, {monster});
    const auto held = [&] { return c.unchecked().session_statistics().memory_bytes; };
    c.in_session([&] {
      const std::size_t before = held();
      c.push_surely(c.rank());
      EXPECT_GE(held(), before + monster);
      EXPECT_LT(held(), before + monster + 8192);
      while (c.pulled() == 0) {
        c.advance(true);
        c.pull();
      }
      EXPECT_GE(held(), before + monster) << "it is still looked at";
      c.pull();
      c.finish();
      EXPECT_LT(held(), before + 8192);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_statistics,
                         testing::ValuesIn(varied_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::statistics_test
