// Tests that messages forwarded to another node precede messages within the own node: on the
// simulated clock they take no longer.
#include <chrono>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/simulate.hpp>
#include <boxcar/window.hpp>

namespace boxcar::test::passing_on_test {
namespace {

// Returns the time of a message from PE 0 to the first PE of another node and back to PE 1. The
// remote PE first forwards messages within its node, and `others` other messages are in flight.
std::chrono::nanoseconds time_there_and_back(int others) {
  constexpr int per_node = 32;
  std::chrono::nanoseconds taken{};
  simulate({.pes = 2 * per_node, .pes_per_node = per_node}, [&](world& w) {
    constexpr int first = per_node;
    window<int> data(w, 1);
    const int here = w.rank();
    const bool goes_on = here >= first && here < first + others;
    schedule_builder b(w);
    b.use(data);
    if (here == 0) {
      b.send(data.local(), first);
    } else if (here == 1) {
      b.receive(data.local(), first);
    } else if (here >= first && here <= first + others) {
      const auto arrived = b.receive(data.local(), here == first ? 0 : here - 1);
      if (goes_on) b.depend(b.send(data.local(), here + 1), arrived);
      if (here == first) b.depend(b.send(data.local(), 1), arrived);
    }
    schedule s = b.compile();
    data.local()[0] = here == 0 ? 77 : 0;
    w.barrier();
    const auto start = w.now();
    s.start();
    s.wait();
    if (here == 1) taken = w.now() - start;
    const bool takes_part = here <= 1 || (here >= first && here <= first + others);
    EXPECT_EQ(data.local()[0], takes_part ? 77 : 0);
    w.barrier();
  });
  return taken;
}

TEST(passing_on, to_other_nodes_goes_ahead) {
  const auto alone = time_there_and_back(0);
  const auto with_others = time_there_and_back(31);
  EXPECT_LT(with_others, alone + alone / 4);
}

}  // namespace
}  // namespace boxcar::test::passing_on_test
