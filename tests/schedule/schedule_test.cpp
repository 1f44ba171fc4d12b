// Tests of schedules on every substrate, with both protocols: the received data is the sent data,
// in every run, also of several schedules at once, while PEs compute.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "schedule/random_graph.hpp"
#include "schedule/sum_along_a_chain.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::schedule_test {
namespace {

using number = std::uint64_t;

// Longer messages use the rendezvous protocol.
struct protocol {
  std::size_t eager_bytes;
};

std::string name_of(const protocol& p) {
  return p.eager_bytes == 0 ? "rendezvous" : p.eager_bytes > 1000 ? "eager" : "mixed";
}

class schedules : public testing::TestWithParam<shaped<protocol>> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam().shape, body); }
  static schedule_options options() {
    return {.eager_bytes = GetParam().detail.eager_bytes,
            .eager_bytes_within_node = GetParam().detail.eager_bytes};
  }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
  static number rank_of(const world& w) { return static_cast<number>(w.rank()); }
};

TEST_P(schedules, may_be_empty) {
  on_all([](world& w) {
    schedule s = schedule_builder(w).compile(options());
    EXPECT_TRUE(s.test());
    for (int i = 0; i < 3; ++i) {
      s.start();
      s.wait();
    }
  });
}

// Each PE sends to the next. Runs have other contents each, and are started as fast as can be.
TEST_P(schedules, shift_around_a_ring) {
  on_all([](world& w) {
    for (const std::size_t length : std::array<std::size_t, 4>{0, 1, 10, 5000}) {
      window<number> data(w, 2 * length);
      const auto mine = data.local().first(length);
      const auto theirs = data.local().last(length);
      schedule_builder b(w);
      b.use(data);
      b.send(mine, next(w), 5);
      b.receive(theirs, before(w), 5);
      schedule s = b.compile(options());
      for (number run = 1; run <= 20; ++run) {
        std::ranges::fill(mine, 1000 * run + rank_of(w));
        s.start();
        s.wait();
        const number expected = 1000 * run + static_cast<number>(before(w));
        EXPECT_EQ(std::ranges::count(theirs, expected), std::ssize(theirs));
      }
      w.barrier();
    }
  });
}

// A PE that is ahead does not get into the run before.
TEST_P(schedules, wait_for_pes_that_are_late) {
  on_all([](world& w) {
    window<number> data(w, 2);
    const auto mine = data.local().first(1);
    const auto theirs = data.local().last(1);
    schedule_builder b(w);
    b.use(data);
    if (w.rank() == 0) {
      for (int pe = 1; pe < w.size(); ++pe) b.send(mine, pe);
    } else {
      b.receive(theirs, 0);
    }
    schedule s = b.compile(options());
    dice d(rank_of(w));
    for (number run = 1; run <= 20; ++run) {
      if (w.rank() == 0) mine[0] = run;
      if (d.below(3) == 0) {
        w.sleep(std::chrono::microseconds(200));
      }
      s.start();
      s.wait();
      if (w.rank() != 0) {
        EXPECT_EQ(theirs[0], run);
      }
    }
    w.barrier();
  });
}

TEST_P(schedules, add_up) {
  on_all([](world& w) {
    constexpr std::size_t length = 700;
    window<number> data(w, 2 * length);
    schedule s = sum_along_a_chain(w, data).compile(options());
    const number pes = static_cast<number>(w.size());
    for (number run = 1; run <= 5; ++run) {
      std::ranges::fill(data.local().first(length), run * (rank_of(w) + 1));
      s.start();
      s.wait();
      for (const number n : data.local().first(length)) ASSERT_EQ(n, run * pes * (pes + 1) / 2);
    }
    w.barrier();
  });
}

// Short messages do not wait for their receives, where the eager protocol needs it; elsewhere they
// do within nodes.
TEST_P(schedules, send_short_messages_head_to_head) {
  on_all([](world& w) {
    window<number> data(w, 2);
    schedule_builder b(w);
    b.use(data);
    const auto s = b.send(data.local().first(1), next(w));
    const auto r = b.receive(data.local().last(1), before(w));
    b.depend(r, s);
    if (options().eager_bytes < sizeof(number)) {
      EXPECT_THROW(static_cast<void>(b.compile(options())), argument_error);
      w.barrier();
      return;
    }
    schedule both = b.compile({.eager_bytes = options().eager_bytes});
    for (number run = 1; run <= 5; ++run) {
      data.local()[0] = run + rank_of(w);
      both.start();
      both.wait();
      EXPECT_EQ(data.local()[1], run + static_cast<number>(before(w)));
    }
    w.barrier();
  });
}

// Empty messages never wait, whatever the limit.
TEST_P(schedules, send_empty_messages_head_to_head) {
  on_all([](world& w) {
    window<number> data(w, 1);
    schedule_builder b(w);
    b.use(data);
    const auto s = b.send(data.local().first(0), next(w));
    b.depend(b.receive(data.local().first(0), before(w)), s);
    schedule signals = b.compile(options());
    for (int run = 1; run <= 3; ++run) {
      signals.start();
      signals.wait();
    }
    w.barrier();
  });
}

// Functions see the memory in the order of the graph, however many inputs they have; the memory
// need not be a window's.
TEST_P(schedules, call_functions) {
  on_all([](world& w) {
    window<number> data(w, 2);
    const auto mine = data.local().first(1);
    const auto theirs = data.local().last(1);
    std::array<number, 3> own{};
    const std::span<number> all(own);
    int called = 0;
    schedule_builder b(w);
    b.use(data);
    b.send(mine, next(w), 5);
    const auto r = b.receive(theirs, before(w), 5);
    const auto first = b.compute(
        [&called](std::span<number> sum, std::span<number> x, std::span<number> y) {
          ++called;
          sum[0] = 10 * x[0] + y[0];
        },
        all.first(1), mine, theirs);
    b.name(first, "weighted");
    b.depend(first, r);
    const auto second = b.compute([](std::span<number> out) { out[0] = 7; }, all.subspan(1, 1));
    const auto third =
        b.compute([](std::span<number> out, std::span<number> in) { out[0] = in[0] + in[1]; },
                  all.last(1), all.first(2));
    b.depend(third, first);
    b.depend(third, second);
    EXPECT_NE(b.text().find("(weighted), compute 8 bytes"), std::string::npos);
    schedule s = b.compile(options());
    for (number run = 1; run <= 10; ++run) {
      mine[0] = run + rank_of(w);
      own = {};
      s.start();
      s.wait();
      const number expected = 10 * (run + rank_of(w)) + run + static_cast<number>(before(w));
      EXPECT_EQ(own[0], expected);
      EXPECT_EQ(own[2], expected + 7);
    }
    EXPECT_EQ(called, 10);
    w.barrier();
  });
}

// Several equal and different schedules are in flight at once, and their ends come in any order.
TEST_P(schedules, go_on_side_by_side) {
  on_all([](world& w) {
    constexpr std::size_t several = 5;
    constexpr std::size_t length = 100;
    std::vector<window<number>> data;
    std::vector<schedule> all;
    for (std::size_t i = 0; i < several; ++i) data.emplace_back(w, 2 * length);
    for (window<number>& d : data) all.push_back(sum_along_a_chain(w, d).compile(options()));
    const number pes = static_cast<number>(w.size());
    for (number run = 1; run <= 5; ++run) {
      for (std::size_t i = 0; i < several; ++i) {
        std::ranges::fill(data[i].local().first(length), run * (i + 1));
        all[i].start();
      }
      for (std::size_t i = several; i-- > 0;) {
        while (!all[i].test()) {
        }
        all[i].wait();
        EXPECT_EQ(data[i].local()[0], run * (i + 1) * pes);
        EXPECT_EQ(data[i].local()[length - 1], run * (i + 1) * pes);
      }
    }
    w.barrier();
  });
}

// Sends and receives with several possible matches take one of them.
TEST_P(schedules, match_whatever_fits) {
  on_all([](world& w) {
    constexpr std::size_t length = 30;
    const auto pes = static_cast<std::size_t>(w.size());
    window<number> data(w, length * (3 * pes + 1));
    const auto part = [&](std::size_t i) { return data.local().subspan(i * length, length); };
    schedule_builder b(w);
    b.use(data);
    std::ranges::fill(part(3 * pes), rank_of(w) + 1);
    for (int pe = 0; pe < w.size(); ++pe) {
      b.send(part(3 * pes), pe, 3);
      b.send(part(3 * pes), pe, 4);
      b.send(part(3 * pes).first(length - 1), pe, 3);
    }
    // Receives from any PE with either tag; receives from any PE with any tag, but another length.
    // Some receives wait for others, from any source.
    std::optional<schedule_builder::vertex> last;
    for (std::size_t i = 0; i < 3 * pes; ++i) {
      const auto r = i % 3 == 2 ? b.receive(part(i).first(length - 1))
                                : b.receive(part(i), any_pe, i % 3 == 0 ? 3 : 4);
      if (last && i % 4 == 0) b.depend(r, *last);
      last = r;
    }
    schedule s = b.compile(options());
    for (int run = 0; run < 3; ++run) {
      std::ranges::fill(data.local().first(3 * pes * length), number{0});
      s.start();
      s.wait();
      number sum = 0;
      for (std::size_t i = 0; i < 3 * pes; ++i) {
        const auto all = i % 3 == 2 ? part(i).first(length - 1) : part(i);
        EXPECT_EQ(std::ranges::count(all, all[0]), std::ssize(all));
        sum += all[0];
      }
      EXPECT_EQ(sum, 3 * pes * (pes + 1) / 2);
    }
    w.barrier();
  });
}

// A span may have its length in its type.
TEST_P(schedules, take_spans_of_fixed_extent) {
  on_all([](world& w) {
    window<number> data(w, 8);
    const auto at = [&data](std::size_t i) { return data.local().subspan(i).first<2>(); };
    const auto me = static_cast<number>(w.rank());
    const auto pes = static_cast<number>(w.size());
    for (std::size_t i = 0; i < 8; ++i) data.local()[i] = me;
    schedule_builder b(w);
    b.use(data);
    b.send(at(0), (w.rank() + 1) % w.size());
    const auto arrived = b.receive(at(2));
    const auto copied = b.copy(at(2), at(4));
    b.depend(copied, arrived);
    const auto added = b.combine(at(0), at(4));
    b.depend(added, copied);
    const auto doubled = b.compute(
        [](std::span<number> into, std::span<number> from) {
          for (std::size_t i = 0; i < into.size(); ++i) into[i] = 2 * from[i];
        },
        at(6), at(4));
    b.depend(doubled, added);
    schedule s = b.compile(options());
    s.start();
    s.wait();
    EXPECT_EQ(at(6)[1], 2 * (me + (me + pes - 1) % pes));
    w.barrier();
  });
}

TEST_P(schedules, do_what_a_run_by_hand_does) {
  on_all([](world& w) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      window<number> data(w, random_graph::slots * random_graph::most);
      random_graph g(w, data, seed);
      schedule s = g.compile(options());
      expect_runs_as_by_hand(w, data, g, s, 4);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(schedule, schedules,
                         testing::ValuesIn(on_shapes<protocol>(several_shapes(),
                                                               {{0}, {100}, {1 << 20}})),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::schedule_test
