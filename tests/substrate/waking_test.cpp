// Tests that a blocked PE is woken by every event it may wait for; each event comes late and alone.
// (The builds of the tests wait for ever: without the wake-up the tests end by their limit of
// time.)
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::waking_test {
namespace {

using namespace std::chrono_literals;

constexpr auto late = 20ms;  // all other PEs have blocked by then

class blocked_pe : public testing::TestWithParam<world_shape> {};

TEST_P(blocked_pe, is_woken_by_the_last_to_a_collective) {
  run_on(GetParam(), [](world& w) {
    for (int last = 0; last < w.size(); ++last) {
      if (w.rank() == last) w.sleep(late);
      w.barrier();
    }
  });
}

TEST_P(blocked_pe, is_woken_by_an_item) {
  run_on(GetParam(), [](world& w) {
    int consumed = 0;
    exchange<int>(
        w,
        [&](auto& out) {
          if (w.rank() != 0) return;
          w.sleep(late);
          for (int pe = 1; pe < w.size(); ++pe) out.push(1, pe);
        },
        [&](int) { ++consumed; });
    EXPECT_EQ(consumed, w.rank() == 0 ? 0 : 1);
  });
}

// The first PE gets nothing but the credits for its own buffers.
TEST_P(blocked_pe, is_woken_by_a_buffer_that_comes_back) {
  run_on(GetParam(), [](world& w) {
    constexpr int buffers = 6;
    constexpr int items = 64;
    int consumed = 0;
    exchange<int>(
        w,
        [&](auto& out) {
          for (int i = 0; w.rank() == 0 && i < buffers * items; ++i) out.push(i, w.size() - 1);
        },
        [&](int) {
          if (consumed++ % items == 0) w.sleep(late);
        },
        {.buffer_bytes = items * sizeof(int)});
    EXPECT_EQ(consumed, w.rank() == w.size() - 1 ? buffers * items : 0);
  });
}

TEST_P(blocked_pe, is_woken_where_a_stream_has_room_again) {
  run_on(GetParam(), [](world& w) {
    constexpr int items = 500;
    int handled = 0;
    stream<int> s(w,
                  [&](int) {
                    if (handled++ % 100 == 0) w.sleep(late / 4);
                  },
                  {.buffer_bytes = 64});
    const session scope = s.begin();
    for (int i = 0; w.rank() == 0 && i < items; ++i) s.send(i, w.size() - 1);
    s.finish();
    EXPECT_EQ(handled, w.rank() == w.size() - 1 ? items : 0);
  });
}

// Counts the woken PEs: the cause of the event waits for them, and does nothing else.
class told {
 public:
  void note() { ++heard_[0]; }
  void wait_for(int others) {
    while (heard_[0] < others) std::this_thread::sleep_for(1ms);
  }

 private:
  shared_array<std::atomic<int>> heard_{1};
};

TEST_P(blocked_pe, is_woken_by_a_failure) {
  told heard;
  const world_report report = observe(GetParam(), [&](world& w) {
    if (w.rank() == 0) {
      w.sleep(late);
      w.substrate()->fail("out of coal");
      return heard.wait_for(w.size() - 1);
    }
    expect_mentions(thrown_by<world_error>([&] { w.barrier(); }), {"out of coal"});
    heard.note();
  });
  for (const pe_report& pe : report.pes) EXPECT_EQ(pe.end, ending::returned) << pe.what;
}

TEST_P(blocked_pe, is_woken_by_one_that_leaves_a_part_of_the_world) {
  told heard;
  const world_report report = observe(GetParam(), [&](world& w) {
    std::optional<world> part = w.split(0);
    if (w.rank() == 0) {
      w.sleep(late);
      part.reset();
      return heard.wait_for(w.size() - 1);
    }
    expect_mentions(thrown_by<world_error>([&] { part->barrier(); }), {"PE 0 has left"});
    heard.note();
  });
  for (const pe_report& pe : report.pes) EXPECT_EQ(pe.end, ending::returned) << pe.what;
}

INSTANTIATE_TEST_SUITE_P(waiting, blocked_pe,
                         testing::ValuesIn(std::vector<world_shape>{
                             {substrate_kind::threads, 2, 1},
                             {substrate_kind::threads, 2, 2},
                             {substrate_kind::threads, 4, 2},
                             {substrate_kind::processes, 2, 1},
                             {substrate_kind::processes, 3, 2}}),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::waking_test
