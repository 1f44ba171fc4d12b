// Tests of handlers that send: answers, chains, floods, to themselves and to other PEs.
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::handlers_test {
namespace {

// Terminations that let handlers send when all PEs are in `finish`.
std::vector<stream_setup> open_ended(const std::vector<world_shape>& shapes) {
  return stream_setups_ending({termination_kind::quiescence, termination_kind::counting}, shapes);
}

class handlers : public testing::TestWithParam<stream_setup> {
 protected:
  template <typename Stream>
  void finish(Stream& s) const {
    if (GetParam().ending == termination_kind::counting) s.done();
    s.finish();
  }
};

struct traveller {
  std::uint64_t seed;
  std::uint32_t hops_left;
  std::uint32_t children;  // number of children at each stop
};

// Every arrival sends on; the last producer is done long before.
TEST_P(handlers, send_on_for_as_long_as_they_like) {
  constexpr std::uint32_t hops = 50;
  constexpr int travellers = 20;
  run_on(GetParam().shape, [&](world& w) {
    std::uint64_t stops = 0;
    std::optional<stream<traveller>> s;
    s.emplace(
        w,
        [&](const traveller& t) {
          ++stops;
          if (t.hops_left == 0) return;
          dice d(t.seed);
          const std::uint64_t seed = d.next();
          s->send({seed, t.hops_left - 1, 1}, d.below(w.size()));
        },
        GetParam().options());
    const session scope = s->begin(GetParam().one_producer_each());
    for (int i = 0; i < travellers; ++i) {
      const auto seed = program_seed(static_cast<std::uint64_t>(w.rank() * 1000 + i));
      s->send({seed, hops, 1}, i % w.size());
    }
    finish(*s);
    EXPECT_EQ(w.reduce(stops),
              std::uint64_t{travellers} * (hops + 1) * static_cast<std::uint64_t>(w.size()));
  });
}

// Handlers send more items than all buffers hold: the items must be kept, and arrive.
TEST_P(handlers, may_send_more_than_there_is_room_for) {
  constexpr std::uint32_t generations = 5;
  constexpr std::uint32_t children = 4;  // each: 4^5 = 1024 in the last generation
  run_on(GetParam().shape, [&](world& w) {
    std::uint64_t born = 0;
    std::optional<stream<traveller>> s;
    s.emplace(
        w,
        [&](const traveller& t) {
          ++born;
          dice d(t.seed);
          for (std::uint32_t i = 0; i < t.children && t.hops_left > 0; ++i) {
            const std::uint64_t seed = d.next();
            s->send({seed, t.hops_left - 1, t.children}, d.below(w.size()));
          }
        },
        GetParam().options());
    const session scope = s->begin(GetParam().one_producer_each());
    s->send({program_seed(static_cast<std::uint64_t>(w.rank())), generations, children}, 0);
    finish(*s);
    std::uint64_t each = 0;
    std::uint64_t in_generation = 1;
    for (std::uint32_t g = 0; g <= generations; ++g, in_generation *= children)
      each += in_generation;
    EXPECT_EQ(w.reduce(born), each * static_cast<std::uint64_t>(w.size()));
  });
}

// Questions and answers on two streams, asked while answers come in.
TEST_P(handlers, answer_over_another_stream) {
  struct question {
    std::uint32_t asker;
    std::uint32_t index;
  };
  struct answer {
    std::uint32_t index;
    std::uint32_t value;
  };
  constexpr std::uint32_t count = 500;
  run_on(GetParam().shape, [&](world& w) {
    std::vector<std::uint32_t> got(count, 0);
    stream<answer> answers(
        w, [&](const answer& a) { got[a.index] = a.value; }, GetParam().options());
    stream<question> questions(
        w,
        [&](const question& q) {
          answers.send({q.index, 3 * q.index + 7}, static_cast<int>(q.asker));
        },
        GetParam().options());
    const session for_answers = answers.begin(GetParam().one_producer_each());
    const session for_questions = questions.begin(GetParam().one_producer_each());
    for (std::uint32_t i = 0; i < count; ++i) {
      questions.send({static_cast<std::uint32_t>(w.rank()), i}, static_cast<int>(i) % w.size());
    }
    finish(questions);
    finish(answers);
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(got[i], 3 * i + 7) << i;
  });
}

// A handler is never called while another handler runs.
TEST_P(handlers, do_not_interrupt_each_other) {
  run_on(GetParam().shape, [&](world& w) {
    int running = 0;
    int most = 0;
    std::optional<stream<traveller>> s;
    s.emplace(
        w,
        [&](const traveller& t) {
          most = std::max(most, ++running);
          for (int i = 0; i < 3 && t.hops_left > 0; ++i) {
            s->send({t.seed + 1, t.hops_left - 1, 1}, w.rank());
            s->flush();
          }
          --running;
        },
        GetParam().options());
    const session scope = s->begin(GetParam().one_producer_each());
    for (int i = 0; i < 100; ++i) s->send({1, 3, 1}, i % w.size());
    finish(*s);
    EXPECT_EQ(most, 1);
  });
}

INSTANTIATE_TEST_SUITE_P(streams, handlers, testing::ValuesIn(open_ended(stream_shapes())),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::handlers_test
