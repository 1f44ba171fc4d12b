// Steady progress (conveyors-2019, section 3.6): every item is delivered as long as all PEs keep
// calling advance and pull, also if some of them push nothing more until it is. With a conveyor
// that is not steady these programs would hang.
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test {
namespace {

class steady : public testing::TestWithParam<conveyor_setup> {
 protected:
  void in_session(const std::function<void(checked_conveyor&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_conveyor c(w, GetParam(), book);
      c.in_session([&] { body(c); });
    });
  }
};

// One item goes round; nobody pushes before it has come. With two PEs this is ping-pong.
TEST_P(steady, a_chain_goes_on) {
  in_session([](checked_conveyor& c) {
    constexpr int rounds = 5;
    int arrived = 0;
    int to_forward = c.rank() == 0 ? 1 : 0;
    while (c.advance(arrived == rounds && to_forward == 0)) {
      if (to_forward > 0 && c.push((c.rank() + 1) % c.size())) --to_forward;
      while (c.pull()) {
        ++arrived;
        const bool chain_ends = c.rank() == 0 && arrived == rounds;
        if (!chain_ends) ++to_forward;
      }
    }
  });
}

// Everybody has received everything before anybody declares the end.
TEST_P(steady, everything_arrives_before_the_endgame) {
  in_session([](checked_conveyor& c) {
    constexpr int times = 7;
    const auto expected = static_cast<std::uint64_t>(times * c.size());
    int to_push = times * c.size();
    while (c.advance(to_push == 0 && c.pulled() == expected)) {
      while (to_push > 0 && c.push(to_push % c.size())) --to_push;
      pull_all(c);
    }
  });
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
