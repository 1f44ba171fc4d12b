// Tests of the bound on the items of a PE, and that the fullest buffer leaves first.
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/error.hpp>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::look_ahead_test {
namespace {

class look_ahead : public testing::TestWithParam<stream_setup> {
 protected:
  // The bound is the number of links, and some more.
  [[nodiscard]] stream_options bounded(int more) const {
    stream_options o = GetParam().options();
    const route way = o.way ? *o.way : route::direct(GetParam().shape.pes);
    std::size_t links = 1;
    for (int pe = 0; pe < way.pes(); ++pe) links = std::max(links, way.links(pe).size());
    o.look_ahead = links + static_cast<std::size_t>(more);
    o.buffer_bytes = 0;
    return o;
  }
};

TEST_P(look_ahead, loses_nothing) {
  for (const int more : {0, 1, 100}) {
    sent_items sent(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      arrived_at here(w.size(), w.rank());
      stream<numbered_item> s(
          w, [&](const numbered_item& item) { here.take(item); }, bounded(more));
      const session scope = s.begin(GetParam().one_producer_each());
      dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
      for (int i = 0; i < 500; ++i) {
        const int to = d.below(w.size());
        s.send(sent.next(w.rank(), to), to);
      }
      if (GetParam().ending != termination_kind::quiescence) s.done();
      s.finish();
      here.expect_all(sent);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(streams, look_ahead,
                         testing::ValuesIn(varied_stream_setups(small_shapes())), by_name{});
INSTANTIATE_TEST_SUITE_P(more_pes, look_ahead,
                         testing::ValuesIn(stream_setups_ending(
                             {termination_kind::quiescence}, {{substrate_kind::threads, 17, 1},
                                                              {substrate_kind::processes, 8, 3}})),
                         by_name{});

// The receivers do nothing, so nothing but the bound makes a buffer leave: the fullest buffer
// leaves, with as many items as it had at the bound.
TEST(look_ahead_of_10, sends_the_fullest_buffer) {
  run_on({substrate_kind::threads, 3, 1}, [](world& w) {
    int arrived = 0;
    stream<std::uint64_t> s(w, [&](std::uint64_t) { ++arrived; },
                            {.way = route::direct(3), .buffer_bytes = 4096, .look_ahead = 10});
    const session scope = s.begin();
    const auto buffers = [&] { return s.session_statistics().stages[0].buffers(); };
    const auto bytes = [&] { return s.session_statistics().stages[0].bytes(); };
    if (w.rank() == 0) {
      for (int i = 0; i < 3; ++i) s.send(1, 0);
      for (int i = 0; i < 5; ++i) s.send(1, 1);
      for (int i = 0; i < 2; ++i) s.send(1, 2);
      EXPECT_EQ(buffers(), 0U);  // 10 items: as many as may be
      s.send(1, 2);
      EXPECT_EQ(buffers(), 1U);
      EXPECT_EQ(bytes(), 5 * sizeof(std::uint64_t));  // the buffer for PE 1
      for (int i = 0; i < 4; ++i) s.send(1, 1);       // 3, 4 and 3
      EXPECT_EQ(buffers(), 1U);
      s.send(1, 1);
      EXPECT_EQ(buffers(), 2U);
      EXPECT_EQ(bytes(), (5 + 4) * sizeof(std::uint64_t));
    }
    s.finish();
    EXPECT_EQ(arrived, w.rank() == 0 ? 3 : w.rank() == 1 ? 10 : 3);
  });
}

// The bound of HPC Challenge: never more than 1024 items are held, whatever their source.
TEST(look_ahead_of_1024, is_kept_while_items_pass) {
  run_on({substrate_kind::threads, 16, 1}, [](world& w) {
    std::uint64_t arrived = 0;
    stream<std::uint64_t> s(
        w, [&](std::uint64_t) { ++arrived; },
        {.way = route::grid(16, {4, 4}), .buffer_bytes = 65536, .look_ahead = 1024});
    const session scope = s.begin(staged(1));
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (int i = 0; i < 20000; ++i) {
      s.send(1, d.below(16));
      if (i % 100 != 0) continue;
      const stream_statistics did = s.session_statistics();
      std::uint64_t left = 0;
      for (const hop_statistics& stage : did.stages) {
        const std::size_t packet = &stage == &did.stages.back() ? 8 : 12;
        left += stage.bytes() / packet;
      }
      ASSERT_LE(did.sent + did.forwarded - left, 1024U);
    }
    s.done();
    s.finish();
    EXPECT_EQ(w.reduce(arrived), 16 * 20000U);
  });
}

TEST(look_ahead, smaller_than_the_number_of_links_is_refused) {
  run_on({substrate_kind::threads, 8, 1}, [](world& w) {
    const auto text = thrown_by<argument_error>(
        [&] { stream<int> s(w, [](int) {}, {.way = route::direct(8), .look_ahead = 6}); });
    expect_mentions(text, {"look_ahead is 6", "7 links", "fewer links"});
    stream<int> enough(w, [](int) {}, {.way = route::direct(8), .look_ahead = 7});
  });
}

}  // namespace
}  // namespace boxcar::test::look_ahead_test
