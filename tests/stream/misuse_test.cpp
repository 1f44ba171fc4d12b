// Tests of bad input: a clear message on every PE, and no hang.
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <stdexcept>

#include <boxcar/error.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::misuse_test {
namespace {

class misuse : public testing::TestWithParam<world_shape> {
 protected:
  // Expects the error on every PE.
  static void expect_refusal(const std::function<stream_options(world&)>& options,
                             std::initializer_list<std::string_view> mentions) {
    run_on(GetParam(), [&](world& w) {
      const auto text = thrown_by<argument_error>([&] {
        stream<std::uint64_t> s(
            w, [](std::uint64_t) {}, options(w));
      });
      expect_mentions(text, mentions);
      w.barrier();  // the world goes on
    });
  }
};

TEST_P(misuse, routes_for_another_world) {
  expect_refusal([](world& w) { return stream_options{.way = route::direct(w.size() + 1)}; },
                 {"the route is for " + std::to_string(GetParam().pes + 1) + " PEs",
                  "the world has " + std::to_string(GetParam().pes)});
}

TEST_P(misuse, different_routes_on_different_pes) {
  if (GetParam().pes < 2) return;
  expect_refusal(
      [](world& w) {
        const int last = w.size() - 1;
        return stream_options{.way = w.rank() == last ? route::grid(w.size(), {w.size(), 1})
                                                      : route::direct(w.size())};
      },
      {"disagree on a stream's route", "direct", "grid"});
}

TEST_P(misuse, a_route_on_some_pes_only) {
  if (GetParam().pes < 2) return;
  expect_refusal(
      [](world& w) {
        stream_options o;
        if (w.rank() == 1) o.way = route::direct(w.size());
        return o;
      },
      {"disagree on a stream's route", "to be chosen", "direct"});
}

TEST_P(misuse, options_that_differ) {
  if (GetParam().pes < 2) return;
  expect_refusal(
      [](world& w) { return stream_options{.buffer_bytes = w.rank() == 0 ? 64U : 128U}; },
      {"disagree on a stream's buffer_bytes", "PE 0 gives 64", "gives 128"});
  expect_refusal(
      [](world& w) {
        return stream_options{.flush_after = std::chrono::nanoseconds(w.rank() == 0 ? 0 : 5)};
      },
      {"flush_after"});
}

TEST_P(misuse, types_that_differ) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    const auto text = thrown_by<argument_error>([&] {
      if (w.rank() == 1) {
        stream<float> s(w, [](float) {});
      } else {
        stream<int> s(w, [](int) {});
      }
    });
    expect_mentions(text, {"a stream's item type", "PE 0 gives int", "PE 1 gives float"});
    const auto of_arrays = thrown_by<argument_error>([&] {
      if (w.rank() == 1) {
        stream<double[]> s(w, [](std::span<const double>) {});
      } else {
        stream<long[]> s(w, [](std::span<const long>) {});
      }
    });
    expect_mentions(of_arrays, {"PE 0 gives long", "PE 1 gives double"});
    const auto of_both = thrown_by<argument_error>([&] {
      if (w.rank() == 1) {
        stream<int[]> s(w, [](std::span<const int>) {});
      } else {
        stream<int> s(w, [](int) {});
      }
    });
    expect_mentions(of_both, {"PE 0 gives int, PE 1 gives int[]"});
  });
}

TEST_P(misuse, options_that_cannot_be) {
  expect_refusal([](world&) { return stream_options{.buffer_bytes = 7}; },
                 {"buffer_bytes is 7", "8 bytes"});
  expect_refusal([](world&) { return stream_options{.buffers_per_link = 3}; },
                 {"buffers_per_link is 3", "1, 2 or 4"});
  expect_refusal([](world&) { return stream_options{.flush_after = std::chrono::nanoseconds(-1)}; },
                 {"flush_after is -1"});
}

TEST_P(misuse, ends_that_differ_or_cannot_be) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    if (w.size() > 1) {
      const auto kinds = thrown_by<argument_error>(
          [&] { (void)s.begin(w.rank() == 1 ? staged(1) : quiescence()); });
      expect_mentions(kinds, {"disagree", "quiescence", "staged"});
      const auto counts = thrown_by<argument_error>([&] { (void)s.begin(counting(1 + w.rank())); });
      expect_mentions(counts, {"disagree", "with 1 producers", "with 2 producers"});
    }
    const auto negative = thrown_by<argument_error>([&] { (void)s.begin(counting(-2)); });
    expect_mentions(negative, {"-2 producers", "0 or more"});
    const session scope = s.begin();  // the stream can still be used
    s.finish();
  });
}

TEST_P(misuse, operations_without_a_session) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const auto refuse_all = [&] {
      expect_mentions(thrown_by<contract_error>([&] { s.send(1, 0); }), {"send", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { s.broadcast(1); }), {"no session"});
      expect_mentions(thrown_by<contract_error>([&] { s.flush(); }), {"flush", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { s.done(); }), {"done", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { s.poll(); }), {"poll", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { s.finish(); }), {"finish", "no session"});
    };
    refuse_all();
    {
      const session scope = s.begin();
      expect_mentions(thrown_by<contract_error>([&] { (void)s.begin(); }), {"begin", "already"});
      s.finish();
    }
    refuse_all();
  });
}

TEST_P(misuse, sends_to_nobody) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const session scope = s.begin();
    for (const int pe : {-1, w.size(), w.size() + 100}) {
      expect_mentions(thrown_by<argument_error>([&] { s.send(1, pe); }),
                      {"send to PE " + std::to_string(pe), std::to_string(w.size()) + " PEs"});
    }
    s.finish();
  });
}

TEST_P(misuse, sends_after_the_end_was_declared) {
  run_on(GetParam(), [](world& w) {
    int arrived = 0;
    stream<int> s(w, [&](int) { ++arrived; });
    const session scope = s.begin(staged(w.rank() == 0 ? 2 : 0));
    if (w.rank() == 0) {
      s.send(1, 0);
      expect_mentions(thrown_by<contract_error>([&] { s.finish(); }), {"2 of 2 producers"});
      s.done();
      s.broadcast(2);
      expect_mentions(thrown_by<contract_error>([&] { s.finish(); }), {"1 of 2 producers"});
      s.done();
    }
    expect_mentions(thrown_by<contract_error>([&] { s.send(1, 0); }),
                    {"every producer of PE", "done"});
    expect_mentions(thrown_by<contract_error>([&] { s.broadcast(1); }), {"done"});
    expect_mentions(thrown_by<contract_error>([&] { s.done(); }), {"declared"});
    s.finish();
    EXPECT_EQ(arrived, w.rank() == 0 ? 2 : 1);
    expect_mentions(thrown_by<contract_error>([&] { s.send(1, 0); }), {"no session any more"});
  });
}

TEST_P(misuse, done_where_nothing_is_counted) {
  run_on(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    {
      const session scope = s.begin();
      expect_mentions(thrown_by<contract_error>([&] { s.done(); }), {"quiescence", "counting"});
      s.finish();
    }
    const session scope = s.begin(counting(w.size()));
    expect_mentions(thrown_by<argument_error>([&] { s.done(0); }), {"0 producers", "at least 1"});
    s.done();
    s.finish();
  });
}

// The counts of all PEs are added, and sums do not overflow.
TEST_P(misuse, done_of_more_producers_than_can_be) {
  run_on(GetParam(), [](world& w) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    stream<int> s(w, [](int) {});
    expect_mentions(thrown_by<argument_error>([&] { (void)s.begin(counting(most)); }),
                    {std::to_string(most) + " producers", "at most"});
    const session scope = s.begin(counting(2));
    for (int i = 0; i < 2; ++i) s.done(most);
    s.done(4);
    expect_mentions(thrown_by<contract_error>([&] { s.finish(); }), {"of 2 producers"});
  });
}

TEST_P(misuse, what_a_handler_must_not_do) {
  run_on(GetParam(), [](world& w) {
    std::optional<stream<int>> s;
    int refused = 0;
    s.emplace(w, [&](int) {
      for (const auto& act : std::initializer_list<std::function<void()>>{
               [&] { s->finish(); }, [&] { s->poll(); }, [&] { (void)s->begin(); }}) {
        expect_mentions(thrown_by<contract_error>(act), {"within a handler"});
        ++refused;
      }
    });
    const session scope = s->begin();
    s->send(1, w.rank());
    s->finish();
    EXPECT_EQ(refused, 3);
  });
}

// The handler's PE gets the exception, all other PEs a notice of it.
TEST_P(misuse, a_handler_that_throws) {
  for (const termination& ending : {quiescence(), staged(1)}) {
    const world_report report = observe(GetParam(), [&](world& w) {
      stream<int> s(w, [&](int value) {
        if (value == 17) throw std::runtime_error("seventeen is too much");
      });
      const session scope = s.begin(ending);
      for (int i = 0; i < 100; ++i) s.send(i % 10, i % w.size());
      if (w.rank() == 0) s.send(17, w.size() - 1);
      if (ending.kind == termination_kind::staged) s.done();
      s.finish();
      w.barrier();
    });
    EXPECT_TRUE(report.failed);
    const pe_report& thrower = report.pes.back();
    EXPECT_EQ(thrower.end, ending::other_exception);
    EXPECT_EQ(thrower.what, "seventeen is too much");
    for (std::size_t pe = 0; pe + 1 < report.pes.size(); ++pe) {
      if (report.pes[pe].end == ending::unknown) continue;  // a process may be ended before
      EXPECT_EQ(report.pes[pe].end, ending::world_error);
      expect_mentions(report.pes[pe].what,
                      {"PE " + std::to_string(report.pes.size() - 1), "handler", "seventeen"});
    }
  }
}

TEST_P(misuse, a_session_that_is_left_unfinished) {
  if (GetParam().pes < 2) return;
  const world_report report = observe(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const session scope = s.begin();
    s.send(1, 0);
    if (w.rank() == 0) return;
    s.finish();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::contract_error);
  expect_mentions(report.pes[0].what, {"unfinished", "finish"});
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
  }
}

// The exception passes, and no PE waits for its PE. The scope of the session outlives the stream.
TEST_P(misuse, a_stream_that_is_lost_in_its_session) {
  const auto expect_failure = [](const auto& lose, std::string_view how) {
    const world_report report = observe(GetParam(), [&](world& w) {
      stream<int> idle(w, [](int) {});
      auto s = std::make_unique<stream<int>>(w, [](int) {});
      const session scope = s->begin();
      if (w.rank() == 0) return lose(s, idle);
      s->finish();
    });
    EXPECT_TRUE(report.failed);
    EXPECT_EQ(report.pes[0].end, ending::contract_error);
    for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
      if (report.pes[pe].end == ending::unknown) continue;
      EXPECT_EQ(report.pes[pe].end, ending::world_error);
      expect_mentions(report.pes[pe].what, {"PE 0", "the session of a stream", how});
    }
  };
  using pointer = std::unique_ptr<stream<int>>;
  expect_failure([](pointer& s, stream<int>&) { s.reset(); }, "destroyed");
  expect_failure([](pointer& s, stream<int>& idle) { *s = std::move(idle); }, "assigned over");
}

TEST_P(misuse, a_stream_that_has_been_moved_from) {
  run_on(GetParam(), [](world& w) {
    int arrived = 0;
    stream<int> first(w, [&](int) { ++arrived; });
    const session scope = first.begin();
    stream<int> second(std::move(first));
    second.broadcast(1);
    // NOLINTNEXTLINE(bugprone-use-after-move): the test uses a moved-from stream
    expect_mentions(thrown_by<contract_error>([&] { first.finish(); }), {"moved"});
    expect_mentions(thrown_by<contract_error>([&] { first.send(1, 0); }), {"moved"});
    expect_mentions(thrown_by<contract_error>([&] { first.broadcast(1); }), {"moved"});
    first = std::move(second);
    first.finish();
    EXPECT_EQ(arrived, w.size());
  });
}

TEST_P(misuse, an_exception_that_leaves_a_session) {
  if (GetParam().pes < 2) return;
  const world_report report = observe(GetParam(), [](world& w) {
    stream<int> s(w, [](int) {});
    const session scope = s.begin();
    if (w.rank() == 1) throw std::runtime_error("of the program");
    s.finish();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[1].what, "of the program");
  if (report.pes[0].end == ending::unknown) return;  // a process may be ended before
  EXPECT_EQ(report.pes[0].end, ending::world_error);
}

INSTANTIATE_TEST_SUITE_P(streams, misuse, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::misuse_test
