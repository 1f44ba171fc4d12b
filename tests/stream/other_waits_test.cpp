// Tests that a PE drives its streams also while the PE waits for something else: the senders may be
// what the PE waits for.
#include <chrono>
#include <gtest/gtest.h>
#include <optional>

#include <boxcar/boxcar.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::other_waits_test {
namespace {

constexpr int many = 2000;  // far more than all buffers of a link hold

const stream_options small_buffers{.buffer_bytes = 64};

class other_waits : public testing::TestWithParam<world_shape> {
 protected:
  // Every PE but the first sends many items to the first PE and then waits.
  template <typename Wait>
  static void run_with(const Wait& wait) {
    run_on(GetParam(), [&](world& w) {
      int handled = 0;
      stream<int> s(
          w, [&](int) { ++handled; }, small_buffers);
      const session scope = s.begin();
      if (w.rank() != 0) {
        for (int i = 0; i < many; ++i) s.send(i, 0);
      }
      wait(w, handled);
      s.finish();
      EXPECT_EQ(handled, w.rank() == 0 ? many * (w.size() - 1) : 0);
    });
  }
};

TEST_P(other_waits, in_barriers) {
  run_with([](world& w, int) {
    for (int i = 0; i < 3; ++i) w.barrier();
  });
}

TEST_P(other_waits, in_collectives_with_values) {
  run_with([](world& w, int) {
    EXPECT_EQ(w.reduce(1), w.size());
    EXPECT_EQ(w.broadcast(w.rank(), w.size() - 1), w.size() - 1);
    EXPECT_EQ(w.all_gather(w.rank()).back(), w.size() - 1);
  });
}

TEST_P(other_waits, while_the_world_is_split) {
  run_with([](world& w, int) {
    world part = *w.split(w.rank() % 2);
    part.barrier();
  });
}

TEST_P(other_waits, while_other_streams_and_conveyors_are_made_and_work) {
  run_with([](world& w, int) {
    int second = 0;
    stream<int> s(
        w, [&](int) { ++second; }, small_buffers);
    const session of_s = s.begin();
    for (int pe = 0; pe < w.size(); ++pe) s.send(pe, pe);
    conveyor<int> c(w);
    {
      const session of_c = c.begin();
      bool pushed = false;
      while (c.advance(pushed)) {
        pushed = pushed || c.push(w.rank(), (w.rank() + 1) % w.size());
        for (int item = 0; c.pull(item);) {
        }
      }
    }
    s.finish();
    EXPECT_EQ(second, w.size());
  });
}

// The other PEs wait until all their items are handled: the first PE sleeps.
TEST_P(other_waits, asleep) {
  run_on(GetParam(), [](world& w) {
    int handled = 0;
    int answered = 0;
    std::optional<stream<int>> answers;
    stream<int> questions(
        w,
        [&](int asker) {
          ++handled;
          answers->send(0, asker);
          answers->flush();
        },
        small_buffers);
    answers.emplace(
        w, [&](int) { ++answered; }, small_buffers);
    const session of_questions = questions.begin();
    const session of_answers = answers->begin();
    const auto start = w.now();
    constexpr auto nap = std::chrono::milliseconds(20);
    if (w.rank() == 0) {
      // (The questions of the other PEs may have been handled before.)
      do {
        w.sleep(nap);
      } while (handled < w.size() - 1);
      EXPECT_GE(w.now() - start, nap);
    } else {
      questions.send(w.rank(), 0);
      questions.flush();
      while (answered == 0) w.sleep(std::chrono::microseconds(100));
    }
    questions.finish();
    answers->finish();
  });
}

// A session of another stream begins on some PEs later than on other PEs, whose handlers send over
// the stream as soon as it has begun there.
TEST_P(other_waits, for_the_begin_of_a_stream_that_handlers_send_over) {
  run_on(GetParam(), [](world& w) {
    int answered = 0;
    std::optional<stream<int>> answers;
    stream<int> questions(
        w, [&](int asker) { answers->send(w.rank(), asker); }, small_buffers);
    answers.emplace(
        w, [&](int) { ++answered; }, small_buffers);
    for (int round = 0; round < 30; ++round) {
      answered = 0;
      const session of_questions = questions.begin();
      const session of_answers = answers->begin();
      for (int i = 0; i < 50; ++i) {
        questions.send(w.rank(), (w.rank() + i) % w.size());
        if (i % 10 == 0) questions.flush();
      }
      questions.finish();
      answers->finish();
      ASSERT_EQ(answered, 50);
    }
  });
}

// A collective wait is illegal in a handler, as no handler can run meanwhile.
TEST_P(other_waits, not_in_handlers) {
  const world_report report = observe(GetParam(), [](world& w) {
    stream<int> s(w, [&](int) { w.barrier(); });
    const session scope = s.begin();
    s.send(1, w.rank());
    s.finish();
  });
  EXPECT_TRUE(report.failed);
  bool said = false;
  for (const pe_report& pe : report.pes) {
    said = said || pe.what.find("a collective from within a handler") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

INSTANTIATE_TEST_SUITE_P(streams, other_waits, testing::ValuesIn(stream_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::other_waits_test
