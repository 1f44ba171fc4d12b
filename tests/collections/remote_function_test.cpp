// Tests of remote functions without asks: each call runs once, in order for each pair of PEs, over
// every route and with every termination.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/remote_function.hpp>
#include <boxcar/stream.hpp>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::remote_function_test {
namespace {

class remote_calls : public testing::TestWithParam<stream_setup> {
 protected:
  // The options of the setup, with room for one call at least.
  [[nodiscard]] static remote_function_options options() {
    remote_function_options o{.calls = GetParam().options()};
    if (o.calls.buffer_bytes != 0) {
      o.calls.buffer_bytes = std::max<std::size_t>(o.calls.buffer_bytes, 64);
    }
    return o;
  }
  [[nodiscard]] static termination ending() { return GetParam().one_producer_each(); }
  [[nodiscard]] static bool handlers_may_send() {
    return GetParam().ending != termination_kind::staged;
  }
  // Ends the session of a function in which the PE is one producer.
  static void finish(auto& f) {
    if (GetParam().ending != termination_kind::quiescence) f.done();
    f.finish();
  }
  [[nodiscard]] static int calls() { return GetParam().shape.pes > 8 ? 300 : 1500; }
};

TEST_P(remote_calls, run_once_and_in_order) {
  sent_items sent(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    arrived_at here(w.size(), w.rank());
    remote_function take(
        w, here, [](arrived_at& state, const numbered_item& item) { state.take(item); }, options());
    const session scope = take.begin(ending());
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    const int count = d.below(calls());
    for (int i = 0; i < count; ++i) {
      const int to = d.below(w.size());
      take(to, sent.next(w.rank(), to));
      if (d.chance(2)) take.flush();
      if (d.chance(2)) {
        EXPECT_TRUE(take.poll());
      }
    }
    finish(take);
    here.expect_all(sent);
    EXPECT_FALSE(take.on());
    EXPECT_EQ(take.session_statistics().calls.sent, static_cast<std::uint64_t>(count));
    EXPECT_EQ(take.session_statistics().replies.sent, 0U);
  });
}

// Several arguments travel without gaps, those with serializers as these write them.
TEST_P(remote_calls, have_any_arguments) {
  struct sums {
    std::uint64_t numbers = 0;
    std::size_t letters = 0;
    int empty = 0;
  };
  run_on(GetParam().shape, [&](world& w) {
    sums here;
    const auto pes = static_cast<std::uint64_t>(w.size());
    remote_function none(
        w, here, [](sums& s) { ++s.empty; }, options());
    remote_function several(
        w, here,
        [](sums& s, char a, std::uint64_t b, const short& c, bool d) {
          s.numbers +=
              static_cast<std::uint64_t>(a) + b + static_cast<std::uint64_t>(c) + (d ? 1 : 0);
        },
        options());
    remote_function texts(
        w, here,
        [](sums& s, int times, std::string text, const std::vector<std::string>& more) {
          EXPECT_EQ(text, std::string(static_cast<std::size_t>(times), 'x'));
          s.letters += text.size();
          for (const std::string& one : more) s.letters += one.size();
        },
        options());
    {
      const session a = none.begin(ending());
      const session b = several.begin(ending());
      const session c = texts.begin(ending());
      for (int i = 0; i < 50; ++i) {
        for (int pe = 0; pe < w.size(); ++pe) {
          none(pe);
          several(pe, 'a', std::uint64_t{1} << 40, -3, i % 2 == 0);
        }
        texts(i % w.size(), i * 7, std::string(static_cast<std::size_t>(i * 7), 'x'),
              {"one", std::string(200, '2')});
      }
      finish(none);
      finish(several);
      finish(texts);
    }
    EXPECT_EQ(here.empty, 50 * w.size());
    EXPECT_EQ(here.numbers, pes * (50 * ('a' + (std::uint64_t{1} << 40) - 3) + 25));
    const std::size_t letters = w.reduce(here.letters);
    EXPECT_EQ(letters, pes * (7 * 1225 + 50 * 203));
  });
}

// Functions call themselves and each other on other PEs, until a depth.
TEST_P(remote_calls, come_from_functions) {
  if (!handlers_may_send()) GTEST_SKIP() << "functions call";
  run_on(GetParam().shape, [&](world& w) {
    struct part {
      int runs = 0;
      void* down = nullptr;
      int pes = 0;
      int rank = 0;
    };
    static constexpr auto split = [](part& p, int depth) {
      struct caller_type;
      ++p.runs;
      if (depth == 0) return;
      auto& call = *static_cast<std::pair<void (*)(void*, int, int), void*>*>(p.down);
      for (int i = 0; i < 2; ++i) call.first(call.second, (p.rank + depth + i) % p.pes, depth - 1);
    };
    part here{.pes = w.size(), .rank = w.rank()};
    remote_function f(w, here, split, options());
    std::pair<void (*)(void*, int, int), void*> again{
        [](void* to, int pe, int depth) { (*static_cast<decltype(f)*>(to))(pe, depth); }, &f};
    here.down = &again;
    const session scope = f.begin(ending());
    constexpr int depth = 7;
    f(w.rank(), depth);
    finish(f);
    EXPECT_EQ(w.reduce(here.runs), w.size() * ((2 << depth) - 1));
  });
}

TEST_P(remote_calls, of_many_functions_at_once) {
  run_on(GetParam().shape, [&](world& w) {
    std::int64_t sum = 0;
    const auto make = [&] {
      return remote_function(
          w, sum, [](std::int64_t& s, std::int64_t n) { s += n; }, options());
    };
    std::vector<decltype(make())> all;
    for (int i = 0; i < 5; ++i) all.push_back(make());
    std::vector<session> scopes;
    for (auto& f : all) scopes.push_back(f.begin(ending()));
    for (int i = 0; i < 500; ++i) {
      all[static_cast<std::size_t>(i) % all.size()](i % w.size(), i);
    }
    for (auto& f : all) finish(f);
    EXPECT_EQ(w.reduce(sum), std::int64_t{w.size()} * 124'750);
  });
}

// Sessions follow one another; a PE may call nothing.
TEST_P(remote_calls, of_some_pes_only) {
  run_on(GetParam().shape, [&](world& w) {
    int runs = 0;
    remote_function f(
        w, runs, [](int& n) { ++n; }, options());
    remote_function stateless(
        w, [] {}, options());
    for (int round = 0; round < 3; ++round) {
      const session second = stateless.begin(ending());
      const session scope = f.begin(ending());
      if (w.rank() == round % w.size()) {
        for (int pe = 0; pe < w.size(); ++pe) {
          f(pe);
          stateless(pe);
        }
      }
      finish(f);
      finish(stateless);
      EXPECT_EQ(runs, round + 1);
      EXPECT_EQ(stateless.session_statistics().calls.handled, 1U);
      w.barrier();
    }
  });
}

TEST_P(remote_calls, in_a_part_of_the_world) {
  run_on(GetParam().shape, [&](world& w) {
    const auto half = w.split(w.rank() % 2);
    remote_function_options o = options();
    o.calls.way.reset();
    int runs = 0;
    remote_function f(
        *half, runs, [](int& n, int from_half) { n += 1000 * from_half + 1; }, o);
    const session scope = f.begin();
    for (int pe = 0; pe < half->size(); ++pe) f(pe, w.rank() % 2);
    f.finish();
    EXPECT_EQ(runs, half->size() * (1000 * (w.rank() % 2) + 1));
  });
}

TEST_P(remote_calls, move_with_their_session) {
  run_on(GetParam().shape, [&](world& w) {
    int runs = 0;
    const auto make = [&] {
      return remote_function(
          w, runs, [](int& n) { ++n; }, options());
    };
    auto first = make();
    const session scope = first.begin(ending());
    auto second = std::move(first);
    for (int pe = 0; pe < w.size(); ++pe) second(pe);
    auto third = make();
    third = std::move(second);
    finish(third);
    EXPECT_EQ(runs, w.size());
  });
}

INSTANTIATE_TEST_SUITE_P(collections, remote_calls,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::remote_function_test
