// Tests that `advance` either always waits for the other PEs or never; the choice is up to the kind
// of conveyor (conveyors-2019, section 3.3). Every test with checked_conveyor checks that
// synchronous kinds always wait.
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/simple_loops.hpp"

namespace boxcar::test::synchrony_test {
namespace {

bool is_asynchronous(const conveyor_setup& setup) {
  return !advance_synchronises(setup.options);
}

class asynchronous_advance : public testing::TestWithParam<conveyor_setup> {};

// A PE advances many times, in every reachable state, while the other PEs do nothing.
TEST_P(asynchronous_advance, never_waits) {
  using namespace std::chrono_literals;
  const int pes = GetParam().shape.pes;
  for (const int lone : {0, pes - 1}) {
    ledger book(pes);
    shared_array<std::atomic<bool>> go_on(1);
    run_on(GetParam().shape, [&](world& w) {
      checked_conveyor c(w, GetParam(), book);
      c.in_session([&] {
        if (w.rank() == lone) {
          push_to_all(c);
          for (int i = 0; i < 40; ++i) c.advance(false);
          for (int i = 0; i < 40; ++i) c.advance(true);
          go_on[0] = true;
        } else {
          while (!go_on[0]) w.sleep(100us);
        }
        finish(c);
      });
    });
  }
}

INSTANTIATE_TEST_SUITE_P(contract, asynchronous_advance,
                         testing::ValuesIn(plain_setups(all_shapes(), is_asynchronous)), by_name{});

}  // namespace
}  // namespace boxcar::test::synchrony_test
