// Tests of buffers that leave before they are full.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::flush_test {
namespace {

using namespace std::chrono_literals;

class flushing : public testing::TestWithParam<stream_setup> {};

// Every PE waits for an item before it sends the next: without a flush all would wait for ever.
TEST_P(flushing, after_a_time_keeps_mutual_waiting_going) {
  constexpr int rounds = 10;
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    stream_options o = GetParam().options();
    o.flush_after = 50us;
    stream<int> s(
        w, [&](int) { ++arrived; }, o);
    const session scope = s.begin(GetParam().one_producer_each());
    for (int round = 1; round <= rounds; ++round) {
      s.send(round, (w.rank() + 1) % w.size());
      while (arrived < round) s.poll();
    }
    if (GetParam().ending != termination_kind::quiescence) s.done();
    s.finish();
    EXPECT_EQ(arrived, rounds);
  });
}

// The PE flushes by hand. Forwarded items need a flush where they are forwarded.
TEST_P(flushing, by_hand_keeps_mutual_waiting_going) {
  constexpr int rounds = 10;
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    stream<int> s(
        w, [&](int) { ++arrived; }, GetParam().options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (int round = 1; round <= rounds; ++round) {
      s.send(round, (w.rank() + 1) % w.size());
      while (arrived < round) {
        s.flush();
        s.poll();
      }
    }
    // Other PEs may still need items of this PE.
    if (GetParam().ending != termination_kind::quiescence) s.done();
    s.finish();
    EXPECT_EQ(arrived, rounds);
  });
}

INSTANTIATE_TEST_SUITE_P(streams, flushing,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

// The flush does not wait until earlier buffers are read.
TEST(flush, sends_what_follows_a_buffer_that_is_out) {
  std::atomic<bool> both_sent = false;
  run_on({substrate_kind::threads, 2, 1}, [&](world& w) {
    int arrived = 0;
    stream<int> s(w, [&](int) { ++arrived; }, {.way = route::direct(2)});
    const session scope = s.begin();
    if (w.rank() == 0) {
      for (std::uint64_t sent = 1; sent <= 2; ++sent) {
        s.send(7, 1);
        s.flush();
        EXPECT_EQ(s.session_statistics().stages[0].buffers(), sent);
      }
      both_sent = true;
    }
    while (!both_sent) std::this_thread::yield();
    s.finish();
    EXPECT_EQ(arrived, w.rank() == 1 ? 2 : 0);
  });
}

// A partial buffer takes no more room in flight than its items and their destinations.
TEST(flush, sends_no_gap) {
  run_on({substrate_kind::threads, 4, 1}, [](world& w) {
    struct three {
      char bytes[3];
    };
    stream<three> s(w, [](const three&) {}, {.way = route::grid(4, {2, 2}), .buffer_bytes = 700});
    const session scope = s.begin();
    if (w.rank() == 0) {
      for (int i = 0; i < 5; ++i) s.send({}, 3);
      s.flush();
      const hop_statistics sent = s.session_statistics().stages[0];
      EXPECT_EQ(sent.buffers(), 1U);
      EXPECT_EQ(sent.bytes(), 16U + 5 * 4U);  // 15 bytes of items, up to the next word
      EXPECT_EQ(sent.capacity_bytes, 300U + 100 * 4U);
    }
    s.finish();
  });
}

}  // namespace
}  // namespace boxcar::test::flush_test
