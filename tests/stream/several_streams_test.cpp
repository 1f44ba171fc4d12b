// Tests of handlers of a stream that send over another stream.
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

#include <boxcar/error.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::several_streams_test {
namespace {

class several_streams : public testing::TestWithParam<world_shape> {};

// Questions over one stream are answered over the other, which is finished first: the stream of
// answers does not end while a question is in flight.
TEST_P(several_streams, end_by_quiescence_when_no_handler_can_send_any_more) {
  run_on(GetParam(), [](world& w) {
    int answered = 0;
    stream<int> answers(w, [&](int) { ++answered; }, {.buffer_bytes = 64});
    stream<int> questions(w, [&](int asker) { answers.send(w.rank(), asker); },
                          {.buffer_bytes = 64});
    std::minstd_rand random(static_cast<unsigned>(w.rank()) + 1);
    for (int round = 0; round < 100; ++round) {
      answered = 0;
      const session of_answers = answers.begin();
      const session of_questions = questions.begin();
      const int asked = static_cast<int>(random() % 300);
      for (int i = 0; i < asked; ++i) {
        questions.send(w.rank(), static_cast<int>(random() % static_cast<unsigned>(w.size())));
      }
      answers.finish();
      ASSERT_EQ(answered, asked) << "round " << round;
      questions.finish();
    }
  });
}

// The end of the first session leaves the PE no free look before it waits in the second one.
TEST_P(several_streams, end_one_after_the_other) {
  run_on(GetParam(), [](world& w) {
    int handled = 0;
    stream<int> first(w, [&](int) { ++handled; });
    stream<int> second(w, [&](int) { ++handled; });
    for (int round = 0; round < 3; ++round) {
      handled = 0;
      const session of_first = first.begin();
      const session of_second = second.begin();
      for (int pe = 0; pe < w.size(); ++pe) first.send(round, pe);
      for (int pe = 0; pe < w.size(); ++pe) second.send(round, pe);
      first.finish();
      second.finish();
      ASSERT_EQ(handled, 2 * w.size());
    }
  });
}

// The streams may be over a subworld, with the questions within the subworld.
TEST_P(several_streams, may_be_over_a_part_of_the_world) {
  run_on(GetParam(), [](world& w) {
    world part = *w.split(w.rank() % 2);
    int answered = 0;
    stream<int> answers(w, [&](int) { ++answered; }, {.buffer_bytes = 64});
    stream<int> questions(part, [&](int asker) { answers.send(w.rank(), asker); },
                          {.buffer_bytes = 64});
    for (int round = 0; round < 20; ++round) {
      answered = 0;
      const session of_answers = answers.begin();
      const session of_questions = questions.begin();
      const int asked = 10 * (w.rank() + round % 3);
      for (int i = 0; i < asked; ++i) questions.send(w.rank(), i % part.size());
      answers.finish();
      ASSERT_EQ(answered, asked) << "round " << round;
      questions.finish();
    }
  });
}

// A stream with senders outside this world may be at rest or not: no PE here knows. Late items from
// its handlers are an error, and do not arrive in another session.
TEST_P(several_streams, that_come_from_outside_lose_nothing_in_silence) {
  const world_report report = observe(GetParam(), [](world& w) {
    world part = *w.split(w.rank() % 2);
    std::uint64_t sent = 0;
    std::uint64_t handled = 0;
    stream<int> inner(part, [&](int) { ++handled; }, {.buffer_bytes = 8});
    stream<int> outer(w,
                      [&](int) {
                        if (!inner.on()) return;
                        inner.send(1, 0);
                        ++sent;
                      },
                      {.buffer_bytes = 8});
    const session of_outer = outer.begin();
    for (int round = 0; round < 50; ++round) {
      handled = sent = 0;
      const session of_inner = inner.begin();
      if (w.rank() % 2 == 1) {
        for (int i = 0; i < 40; ++i) outer.send(i, i % w.size());
      }
      inner.finish();
      EXPECT_EQ(part.reduce(sent), part.reduce(handled));
    }
    outer.finish();
  });
  // The first PE to fail says why; the launcher may end the other PEs before they can.
  bool said = !report.failed;
  for (const pe_report& pe : report.pes) {
    said = said || pe.what.find("session") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

// A handler sends over a stream whose session is about to begin on the PE, into a buffer that the
// session before has left open: what the program sends afterwards arrives afterwards.
TEST_P(several_streams, keep_the_order_of_what_is_sent_while_a_session_begins) {
  if (GetParam().pes < 2) return;
  shared_array<std::atomic<bool>> is_beginning(1);
  shared_array<std::atomic<bool>> is_handled(1);
  run_on(GetParam(), [&](world& w) {
    const int last = w.size() - 1;
    std::vector<int> arrived;
    const auto note = [&](int value) { arrived.push_back(value); };
    detail::handled_item_stream<int, decltype(note)> later(w, note, {.buffer_bytes = 64});
    const auto send = [&](int value) { later.send(value, last); };
    stream<int> first(w, [&](int value) {
      send(value);
      is_handled[0] = true;
    });
    later.begin(quiescence());
    if (w.rank() == 0) {
      const auto room = later.room_to(sizeof(int), last);
      if (room.has_room()) later.fill(room, room.cursor, sizeof(int), last);
    }
    later.finish();
    const session of_first = first.begin();
    const auto wait_for = [&w](const std::atomic<bool>& flag) {
      while (!flag) w.sleep(std::chrono::microseconds(50));
    };
    if (w.rank() == last) {
      wait_for(is_beginning[0]);
      first.send(1, 0);
      first.flush();
      wait_for(is_handled[0]);
    }
    if (w.rank() == 0) is_beginning[0] = true;
    later.begin(quiescence());
    if (w.rank() == 0) send(2);
    first.finish();
    later.finish();
    EXPECT_EQ(arrived, w.rank() == last ? std::vector({1, 2}) : std::vector<int>());
  });
}

INSTANTIATE_TEST_SUITE_P(streams, several_streams, testing::ValuesIn(stream_shapes()), by_name{});
INSTANTIATE_TEST_SUITE_P(alone, several_streams,
                         testing::ValuesIn(with_at_least(1, {{substrate_kind::simulated, 1, 1}})),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::several_streams_test
