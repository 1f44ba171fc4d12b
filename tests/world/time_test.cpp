// Time and waiting.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"

namespace boxcar::test::time_test {
namespace {

using namespace std::chrono_literals;

class time : public testing::TestWithParam<world_shape> {};

TEST_P(time, never_goes_back) {
  run_on(GetParam(), [](world& w) {
    auto before = w.now();
    for (int i = 0; i < 1000; ++i) {
      const auto now = w.now();
      ASSERT_GE(now, before);
      before = now;
    }
  });
}

TEST_P(time, is_the_same_for_all_pes) {
  run_on(GetParam(), [](world& w) {
    for (int i = 0; i < 10; ++i) {
      const std::int64_t before = w.now().count();
      const auto of_all = w.all_gather(before);
      const std::int64_t after = w.now().count();
      for (const std::int64_t t : of_all) EXPECT_LE(t, after);
    }
  });
}

TEST_P(time, passes_while_a_pe_sleeps) {
  run_on(GetParam(), [](world& w) {
    for (const auto duration : {std::chrono::nanoseconds(0), std::chrono::nanoseconds(2ms)}) {
      const auto before = w.now();
      w.sleep(duration);
      EXPECT_GE(w.now() - before, duration);
    }
    w.sleep(-1s);  // is over at once
  });
}

TEST_P(time, passes_while_a_pe_computes) {
  run_on(GetParam(), [](world& w) {
    for (const auto duration : {std::chrono::nanoseconds(0), std::chrono::nanoseconds(2ms)}) {
      const auto before = w.now();
      w.compute(duration);
      EXPECT_GE(w.now() - before, duration);
    }
    w.compute(-1s);  // is over at once
  });
}

TEST_P(time, is_not_wasted_by_idling) {
  run_on(GetParam(), [](world& w) {
    const auto before = w.now();
    for (int i = 0; i < 100; ++i) w.idle();
    EXPECT_LT(w.now() - before, 20s);  // a few milliseconds each, at most
  });
}

// The purpose of `idle`: a loop that waits for an event outside Boxcar.
TEST_P(time, passes_while_a_pe_idles) {
  shared_array<std::atomic<int>> turn(1);
  run_on(GetParam(), [&](world& w) {
    while (turn[0] != w.rank()) w.idle();
    ++turn[0];
  });
  EXPECT_EQ(turn[0], GetParam().pes);
}

INSTANTIATE_TEST_SUITE_P(world, time, testing::ValuesIn(all_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::time_test
