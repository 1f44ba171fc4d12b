// Tests that a refused push returns at once: only `advance` waits.
#include <chrono>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>

#include <boxcar/conveyor.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::refused_push_test {
namespace {

class refused_push : public testing::TestWithParam<world_shape> {};

// Returns how often the thread has gone to sleep.
long times_slept() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

TEST_P(refused_push, does_not_sleep) {
  run_on(GetParam(), [](world& w) {
    using clock = std::chrono::steady_clock;
    constexpr auto spinning = std::chrono::milliseconds(100);
    conveyor<long> c(w, {.hops = 1, .buffer_bytes = 1024});
    const session s = c.begin();
    if (w.rank() == 0) {
      const int last = w.size() - 1;
      const auto end = clock::now() + spinning;
      while (clock::now() < end && c.push(1, last)) continue;
      const long before = times_slept();
      long refused = 0;
      while (clock::now() < end) refused += c.push(1, last) ? 0 : 1;
      EXPECT_GT(refused, 1000);
      EXPECT_EQ(times_slept(), before);
    } else {
      std::this_thread::sleep_for(2 * spinning);
    }
    long item = 0;
    while (c.advance(true)) {
      while (c.pull(item)) continue;
    }
  });
}

// (The clock must run by itself: not on a simulated machine.)
const world_shape shapes[] = {{substrate_kind::threads, 2, 1},
                              {substrate_kind::threads, 4, 2},
                              {substrate_kind::processes, 2, 1},
                              {substrate_kind::processes, 4, 2}};

INSTANTIATE_TEST_SUITE_P(contract, refused_push, testing::ValuesIn(shapes), by_name{});

}  // namespace
}  // namespace boxcar::test::refused_push_test
