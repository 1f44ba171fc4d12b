// Tests of dispatch streams: messages of several kinds reach their own handlers, in order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/detail/dispatch_stream.hpp>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::dispatch_test {
namespace {

class dispatch : public testing::TestWithParam<stream_setup> {
 protected:
  // The options of the setup, with room for one message at least.
  [[nodiscard]] static stream_options options() {
    stream_options o = GetParam().options();
    if (o.buffer_bytes != 0) o.buffer_bytes = std::max<std::size_t>(o.buffer_bytes, 56);
    return o;
  }
};

struct small_message {
  numbered_item item;
};

struct large_message {
  numbered_item item;
  std::array<std::uint8_t, 13> content;
};

constexpr std::array<std::uint8_t, 13> content{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

// The two kinds have one order together for each pair of PEs.
TEST_P(dispatch, of_two_kinds_in_order) {
  sent_items sent(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    arrived_at here(w.size(), w.rank());
    auto small = [&](const small_message& m) { here.take(m.item); };
    auto large = [&](const large_message& m) {
      EXPECT_EQ(m.content, content);
      here.take(m.item);
    };
    detail::dispatch_stream s(
        w, {detail::kind_of<small_message>(small), detail::kind_of<large_message>(large)},
        options());
    s.begin(GetParam().one_producer_each());
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    const int count = d.below(GetParam().shape.pes > 32 ? 200 : 2000);
    for (int i = 0; i < count; ++i) {
      const int to = d.below(w.size());
      const numbered_item item = sent.next(w.rank(), to);
      if (d.chance(50)) {
        s.send(0, small_message{item}, to);
      } else {
        s.send(1, large_message{item, content}, to);
      }
    }
    if (GetParam().ending != termination_kind::quiescence) s.done(1);
    s.finish();
    here.expect_all(sent);
    EXPECT_EQ(s.session_statistics().sent, static_cast<std::uint64_t>(count));
  });
}

TEST_P(dispatch, of_one_kind_costs_no_number) {
  sent_items sent(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    arrived_at here(w.size(), w.rank());
    auto handle = [&](const numbered_item& item) { here.take(item); };
    detail::dispatch_stream s(w, {detail::kind_of<numbered_item>(handle)}, options());
    EXPECT_EQ(s.stride(), sizeof(numbered_item));
    s.begin(GetParam().one_producer_each());
    for (int i = 0; i < 300; ++i) {
      const int to = i % w.size();
      s.send(0, sent.next(w.rank(), to), to);
    }
    if (GetParam().ending != termination_kind::quiescence) s.done(1);
    s.finish();
    here.expect_all(sent);
  });
}

// Each handler sends a message of the other kind, until the messages have made some steps.
TEST_P(dispatch, from_handlers_and_to_all) {
  if (GetParam().ending == termination_kind::staged) GTEST_SKIP() << "handlers send";
  run_on(GetParam().shape, [&](world& w) {
    struct step {
      int left;
    };
    struct answer {
      int left;
      double unused;
    };
    detail::dispatch_stream* stream = nullptr;
    int broadcasts = 0;
    const int next = (w.rank() + 1) % w.size();
    auto on_step = [&](const step& m) {
      if (m.left < 0) ++broadcasts;
      if (m.left > 0) stream->send(1, answer{m.left - 1, 0}, next);
    };
    auto on_answer = [&](const answer& m) {
      if (m.left > 0) stream->send(0, step{m.left - 1}, next);
    };
    detail::dispatch_stream s(
        w, {detail::kind_of<step>(on_step), detail::kind_of<answer>(on_answer)}, options());
    stream = &s;
    s.begin(GetParam().one_producer_each());
    for (int i = 0; i < 20; ++i) s.send(0, step{i}, next);
    for (int i = 0; i < 3; ++i) s.broadcast(0, step{-1});
    if (GetParam().ending != termination_kind::quiescence) s.done(1);
    s.finish();
    EXPECT_EQ(broadcasts, 3 * w.size());
  });
}

INSTANTIATE_TEST_SUITE_P(streams, dispatch,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::dispatch_test
