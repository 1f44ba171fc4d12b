// Tests of the three kinds of termination of a session.
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::termination_test {
namespace {

class sessions : public testing::TestWithParam<stream_setup> {};

TEST_P(sessions, can_follow_each_other) {
  run_on(GetParam().shape, [&](world& w) {
    std::uint64_t sum = 0;
    stream<std::uint64_t> s(
        w, [&](std::uint64_t value) { sum += value; }, GetParam().options());
    for (std::uint64_t round = 1; round <= 20; ++round) {
      sum = 0;
      // Every way to end after every other.
      const termination ways[] = {quiescence(), staged(1), counting(w.size())};
      const termination ending = ways[(round + static_cast<std::uint64_t>(GetParam().ending)) % 3];
      const session scope = s.begin(ending);
      for (int pe = 0; pe < w.size(); ++pe) s.send(round, pe);
      if (ending.kind != termination_kind::quiescence) s.done();
      s.finish();
      ASSERT_EQ(sum, round * static_cast<std::uint64_t>(w.size())) << "round " << round;
      ASSERT_EQ(s.session_statistics().sent, static_cast<std::uint64_t>(w.size()));
      ASSERT_EQ(s.session_statistics().handled, static_cast<std::uint64_t>(w.size()));
    }
  });
}

// Producers come in any number, and are unevenly spread.
TEST_P(sessions, end_when_all_producers_are_done) {
  if (GetParam().ending == termination_kind::quiescence) return;
  const bool by_stages = GetParam().ending == termination_kind::staged;
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    stream<int> s(
        w, [&](int) { ++arrived; }, GetParam().options());
    // PE r has r producers: none on PE 0.
    const int all = w.size() * (w.size() - 1) / 2;
    const session scope = s.begin(by_stages ? staged(w.rank()) : counting(all));
    for (int producer = 0; producer < w.rank(); ++producer) {
      for (int pe = 0; pe < w.size(); ++pe) s.send(producer, pe);
      if (producer + 2 < w.rank()) {
        s.done();
      } else if (producer + 2 == w.rank()) {
        s.done(1);
      } else {
        s.done();
      }
    }
    s.finish();
    EXPECT_EQ(arrived, all);
  });
}

// A PE in a waiting loop of its own, and not in `finish`, learns the end from `poll`.
TEST_P(sessions, end_for_those_who_poll) {
  if (GetParam().ending == termination_kind::quiescence) return;
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    stream<int> s(
        w, [&](int) { ++arrived; }, GetParam().options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (int i = 0; i < 100; ++i) s.send(i, i % w.size());
    s.flush();
    s.done();
    if (w.rank() % 2 == 0) {
      while (s.poll()) s.flush();
      EXPECT_FALSE(s.on());
    }
    s.finish();
    EXPECT_EQ(w.reduce(arrived), 100 * w.size());
  });
}

// A running stream does not delay another stream, nor does an ended stream.
TEST_P(sessions, of_several_streams_end_independently) {
  run_on(GetParam().shape, [&](world& w) {
    int first = 0;
    int second = 0;
    int third = 0;
    stream<int> a(
        w, [&](int) { ++first; }, GetParam().options());
    stream<int> b(w, [&](int) { ++second; }, {.way = route::direct(w.size())});
    const bool declares = GetParam().ending != termination_kind::quiescence;
    const session of_b = b.begin();
    for (int round = 1; round <= 3; ++round) {
      const session of_a = a.begin(GetParam().one_producer_each());
      for (int i = 0; i < 500; ++i) {
        a.send(i, i % w.size());
        b.send(i, (i + w.rank()) % w.size());
      }
      if (declares) a.done();
      a.finish();
      EXPECT_EQ(w.reduce(first), 500 * w.size() * round);
      EXPECT_TRUE(b.on());
    }
    stream<int> c(w, [&](int) { ++third; });
    const session of_c = c.begin(staged(0));
    c.finish();
    b.finish();
    EXPECT_EQ(w.reduce(second), 1500 * w.size());
    EXPECT_EQ(third, 0);
  });
}

INSTANTIATE_TEST_SUITE_P(streams, sessions,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

class endings : public testing::TestWithParam<world_shape> {};

// The PE detects the lack of possible producers: no PE waits for ever.
TEST_P(endings, by_counting_tell_that_producers_are_missing) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const session scope = s.begin(counting(w.size() + 3));
    s.send(1, 0);
    s.done();
    const std::string text = thrown_by<contract_error>([&] { s.finish(); });
    expect_mentions(text, {std::to_string(w.size()) + " of " + std::to_string(w.size() + 3),
                           "no PE can call it any more"});
  });
}

TEST_P(endings, by_counting_tell_that_there_were_too_many_producers) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const session scope = s.begin(counting(1));
    s.done(2);
    const std::string text = thrown_by<contract_error>([&] { s.finish(); });
    expect_mentions(text, {std::to_string(2 * w.size()) + " of 1 producers"});
  });
}

// Handlers may be producers: the last producer is done when the last item has arrived.
TEST_P(endings, may_be_declared_in_handlers) {
  run_on(GetParam(), [](world& w) {
    std::optional<stream<int>> s;
    s.emplace(w, [&](int left) {
      if (left == 0) return s->done();
      s->send(left - 1, (w.rank() + 1) % w.size());
    });
    const session scope = s->begin(counting(w.size()));
    s->send(20, w.rank());
    s->finish();
  });
}

TEST_P(endings, in_stages_may_be_declared_in_handlers) {
  run_on(GetParam(), [](world& w) {
    std::optional<stream<int>> s;
    int arrived = 0;
    s.emplace(
        w,
        [&](int left) {
          ++arrived;
          if (left > 0) s->send(left - 1, (w.rank() + 1) % w.size());
          if (arrived == 21) s->done();  // as many as come here in all
        },
        stream_options{.flush_after = std::chrono::microseconds(20)});
    const session scope = s->begin(staged(1));
    s->send(20, w.rank());
    while (arrived < 21) s->poll();
    s->finish();
    EXPECT_EQ(arrived, 21);
  });
}

// A PE that has left `finish` may compute for long: the PE's items travel on without its help, also
// the last notice of the end of the session.
TEST_P(endings, need_nothing_of_those_who_have_left) {
  shared_array<std::atomic<int>> left(3);
  run_on(GetParam(), [&](world& w) {
    stream<int> s(w, [](int) {}, {.way = route::balanced(w.size(), 2)});
    const termination ways[] = {quiescence(), counting(w.size()), staged(1)};
    for (std::size_t i = 0; i < 3; ++i) {
      const session scope = s.begin(ways[i]);
      for (int pe = 0; pe < w.size(); ++pe) s.send(1, pe);
      if (ways[i].kind != termination_kind::quiescence) s.done();
      s.finish();
      // No PE calls Boxcar until all PEs are here.
      left[i].fetch_add(1);
      while (left[i].load() < w.size()) std::this_thread::yield();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(streams, endings, testing::ValuesIn(stream_shapes()), by_name{});

// The background traffic of each way.
std::uint64_t control_messages(world& w, const termination& ending, int items) {
  stream<int> s(w, [](int) {}, {.way = route::balanced(w.size(), 2), .buffer_bytes = 64});
  const session scope = s.begin(ending);
  for (int i = 0; i < items; ++i) s.send(i, i % w.size());
  if (ending.kind != termination_kind::quiescence) s.done();
  s.finish();
  return w.reduce(s.session_statistics().control_messages);
}

// Each link has two messages: the notice on the link's last buffer, and the broadcast of the end.
TEST_P(endings, in_stages_need_no_waves) {
  run_on(GetParam(), [](world& w) {
    const auto others = static_cast<std::uint64_t>(w.size() - 1);
    for (const int items : {0, 10, 10000}) {
      EXPECT_EQ(control_messages(w, staged(1), items), 2 * others);
    }
  });
}

// However long the session was, waves begin only at its end: two at least, and one to announce the
// end.
TEST_P(endings, by_waves_need_few_messages) {
  run_on(GetParam(), [](world& w) {
    const auto others = static_cast<std::uint64_t>(w.size() - 1);
    for (const int items : {0, 10, 10000}) {
      for (const termination& ending : {quiescence(), counting(w.size())}) {
        const std::uint64_t messages = control_messages(w, ending, items);
        EXPECT_GE(messages, 2 * 3 * others);
        EXPECT_EQ(messages % std::max<std::uint64_t>(2 * others, 1), 0U);
      }
    }
  });
}

// While an item goes to and fro for long after all PEs are in `finish`, waves pause: their number
// is bounded by the time, whatever the machine.
TEST_P(endings, by_waves_do_not_poll_in_a_storm) {
  run_on(GetParam(), [](world& w) {
    std::optional<stream<int>> s;
    s.emplace(
        w,
        [&](int left) {
          if (left > 0) s->send(left - 1, (w.rank() + 1) % w.size());
        },
        stream_options{.way = route::direct(w.size())});
    const session scope = s->begin();
    if (w.rank() == 0) s->send(3000, 0);
    const auto start = w.now();
    s->finish();
    const auto elapsed = std::chrono::duration<double>(w.now() - start).count();
    const auto messages = static_cast<double>(w.reduce(s->session_statistics().control_messages));
    // Pauses double from 2 to 500 microseconds: nine waves before they are longest.
    const double max_waves = 16 + elapsed / 500e-6;
    EXPECT_LE(messages, 2 * max_waves * (w.size() - 1));
  });
}

}  // namespace
}  // namespace boxcar::test::termination_test
