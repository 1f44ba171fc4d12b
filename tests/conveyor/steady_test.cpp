// Steady progress (conveyors-2019, section 3.6).
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_test.hpp"
#include "support/steady_programs.hpp"

namespace boxcar::test {
namespace {

class steady : public conveyor_test {};

TEST_P(steady, a_chain_goes_on) {
  in_session([](checked_conveyor& c) { send_one_item_round(c, 5); });
}

TEST_P(steady, everything_arrives_before_the_endgame) {
  in_session([](checked_conveyor& c) { receive_all_before_the_endgame(c); });
}

// PE 0 has much to send to all. The others send little, one item at a time, each to itself, and
// wait for it.
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

INSTANTIATE_TEST_SUITE_P(contract, steady, testing::ValuesIn(steady_setups(all_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test
