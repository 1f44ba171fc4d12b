// Steady progress (conveyors-2019, section 3.6).
#include <gtest/gtest.h>

#include <boxcar/conveyor.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_test.hpp"
#include "support/run_on.hpp"
#include "support/steady_programs.hpp"

namespace boxcar::test::steady_test {
namespace {

class steady : public conveyor_test {};

TEST_P(steady, a_chain_goes_on) {
  in_session([](checked_conveyor& c) { send_one_item_round(c, 5); });
}

TEST_P(steady, everything_arrives_before_the_endgame) {
  in_session([](checked_conveyor& c) { receive_all_before_the_endgame(c); });
}

// PE 0 sends many items to all PEs. The other PEs send few items, singly, each to itself, and wait
// for the item.
TEST_P(steady, a_flood_does_not_hold_up_single_items) {
  in_session([](checked_conveyor& c) {
    const bool floods = c.rank() == 0;
    int left = floods ? 2000 : 10;
    bool waits = false;
    while (c.advance(left == 0 && !waits)) {
      while (left > 0 && !waits && c.push(floods ? left % c.size() : c.rank())) {
        --left;
        waits = !floods;
      }
      while (c.pull()) {
        if (c.last_source() == c.rank()) waits = false;
      }
    }
  });
}

// A PE that advances after every few pushes does not send a buffer each time; but a single item
// leaves at once.
TEST(steady_buffers, wait_for_more_only_while_there_is_more) {
  run_on({.pes = 1}, [](world& w) {
    conveyor<int> c(w, {.steady = true});
    const session s = c.begin();
    const auto buffers = [&c] {
      const hop_statistics hop = c.session_statistics().hops.at(0);
      return hop.local_buffers + hop.remote_buffers;
    };
    int pushed = 0;
    int pulled = 0;
    const auto push_advance_pull = [&](int items) {
      for (; items > 0; --items) {
        ASSERT_TRUE(c.push(pushed++, 0));
      }
      c.advance(false);
      c.pull_all([&pulled](int item) { EXPECT_EQ(item, pulled++); });
    };
    for (int i = 0; i < 300; ++i) push_advance_pull(10);
    EXPECT_LE(buffers(), 300U / 16 + 8);
    while (pulled != pushed) push_advance_pull(0);
    const auto sent = buffers();
    for (int i = 0; i < 10; ++i) {
      push_advance_pull(1);
      push_advance_pull(0);
      EXPECT_EQ(pulled, pushed);
    }
    EXPECT_EQ(buffers(), sent + 10);
    while (c.advance(true)) c.pull_all([](int) {});
  });
}

INSTANTIATE_TEST_SUITE_P(contract, steady, testing::ValuesIn(steady_setups(all_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::steady_test
