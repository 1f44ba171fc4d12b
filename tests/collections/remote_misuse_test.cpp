// Tests of bad input to remote functions: a clear message, and no hang.
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/remote_function.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::remote_misuse_test {
namespace {

class remote_misuse : public testing::TestWithParam<world_shape> {};

TEST_P(remote_misuse, functions_that_differ) {
  if (GetParam().pes < 2) return;
  run_on(GetParam(), [](world& w) {
    const auto types = thrown_by<argument_error>([&] {
      if (w.rank() == 1) {
        remote_function f(w, [](int) {});
      } else {
        remote_function f(w, [](long) {});
      }
    });
    expect_mentions(types, {"disagree on a remote function's", "PE 0 gives", "PE 1 gives"});
    // The same types, and two functions.
    const auto functions = thrown_by<argument_error>([&] {
      if (w.rank() == 1) {
        remote_function f(w, [](int) {}, {.name = "f"});
      } else {
        remote_function f(w, [](int) {}, {.name = "f"});
      }
    });
    expect_mentions(functions, {"disagree on a remote function's type"});
    const auto names = thrown_by<argument_error>(
        [&] { remote_function f(w, [](int) {}, {.name = w.rank() == 1 ? "one" : "other"}); });
    expect_mentions(names, {"a remote function's name", "other", "PE 1 gives one"});
    w.barrier();  // the world goes on
  });
}

TEST_P(remote_misuse, options_that_cannot_be) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(thrown_by<argument_error>([&] {
                      remote_function f(w, [](std::int64_t) {}, {.calls = {.buffer_bytes = 7}});
                    }),
                    {"buffer_bytes is 7"});
    expect_mentions(thrown_by<argument_error>([&] {
                      remote_function f(w, [](int n) { return n; },
                                        {.replies = stream_options{.buffers_per_link = 3}});
                    }),
                    {"buffers_per_link is 3"});
    w.barrier();
  });
}

TEST_P(remote_misuse, operations_without_a_session) {
  run_on(GetParam(), [](world& w) {
    remote_function f(w, [](int n) { return n; });
    const auto refuse_all = [&] {
      expect_mentions(thrown_by<contract_error>([&] { f(0, 1); }), {"send", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { (void)f.ask(0, 1); }), {"no session"});
      expect_mentions(thrown_by<contract_error>([&] { f.flush(); }), {"flush", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { f.done(); }), {"done", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { f.poll(); }), {"poll", "no session"});
      expect_mentions(thrown_by<contract_error>([&] { f.finish(); }), {"finish", "no session"});
    };
    refuse_all();
    {
      const session scope = f.begin();
      expect_mentions(thrown_by<contract_error>([&] { (void)f.begin(); }), {"begin", "already"});
      EXPECT_EQ(f.ask(0, 5).wait(), 5);
      f.finish();
    }
    refuse_all();
    EXPECT_TRUE(f.ask_all(std::vector<int>{}, std::vector<int>{}).empty());
  });
}

TEST_P(remote_misuse, calls_to_nobody) {
  run_on(GetParam(), [](world& w) {
    remote_function f(w, [](int n) { return n; });
    const session scope = f.begin();
    for (const int pe : {-1, w.size()}) {
      const std::string number = std::to_string(pe);
      expect_mentions(thrown_by<argument_error>([&] { f(pe, 1); }), {"PE " + number});
      expect_mentions(thrown_by<argument_error>([&] { (void)f.ask(pe, 1); }), {"PE " + number});
      int received = 0;
      expect_mentions(thrown_by<argument_error>([&] {
                        f.ask_all(
                            [&](auto& ask) {
                              ask(0, 3);
                              ask(pe, 4);
                            },
                            [&](std::size_t i, int n) {
                              EXPECT_EQ(i, 0U);
                              received += n;
                            });
                      }),
                      {"PE " + number});
      EXPECT_EQ(received, 3);
    }
    expect_mentions(thrown_by<argument_error>([&] {
                      (void)f.ask_all(std::vector<int>{0, 0}, std::vector<int>{1, 2, 3});
                    }),
                    {"2 PEs", "3 elements"});
    expect_mentions(thrown_by<contract_error>([&] {
                      f.ask_all([&](auto&) { f.ask_all([](auto&) {}, [](std::size_t, int) {}); },
                                [](std::size_t, int) {});
                    }),
                    {"ask_all", "one batch"});
    EXPECT_EQ(f.ask(0, 2).wait(), 2);
    f.finish();
  });
}

// A PE that has declared its end may not ask, but replies to the others.
TEST_P(remote_misuse, asks_after_the_end_was_declared) {
  run_on(GetParam(), [](world& w) {
    int runs = 0;
    remote_function f(w, runs, [](int& all, int n) { return all += n; });
    const session scope = f.begin(staged(w.rank() == 0 ? 1 : 0));
    if (w.rank() == 0) {
      for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(f.ask(pe, 4).wait(), 4);
      f.done();
    }
    expect_mentions(thrown_by<contract_error>([&] { (void)f.ask(0, 1); }), {"done"});
    f.finish();
    EXPECT_EQ(runs, 4);
  });
}

TEST_P(remote_misuse, ends_that_differ_or_miss_producers) {
  run_on(GetParam(), [](world& w) {
    remote_function f(w, [](int n) { return n; });
    if (w.size() > 1) {
      expect_mentions(thrown_by<argument_error>(
                          [&] { (void)f.begin(w.rank() == 1 ? staged(1) : quiescence()); }),
                      {"disagree", "quiescence", "staged"});
    }
    {
      const session scope = f.begin(counting(w.size() + 1));
      EXPECT_EQ(f.ask(0, 1).wait(), 1);
      f.done();
      expect_mentions(thrown_by<contract_error>([&] { f.finish(); }), {"producers"});
      EXPECT_FALSE(f.on());
    }
    const session scope = f.begin();  // the function can still be used
    EXPECT_EQ(f.ask(w.size() - 1, 1).wait(), 1);
    f.finish();
  });
}

TEST_P(remote_misuse, results_that_have_gone) {
  run_on(GetParam(), [](world& w) {
    std::optional<remote_result<int>> kept;
    {
      remote_function f(w, [](int n) { return n; });
      const session scope = f.begin();
      auto result = f.ask(0, 3);
      EXPECT_EQ(result.wait(), 3);
      expect_mentions(thrown_by<contract_error>([&] { (void)result.wait(); }), {"taken"});
      kept.emplace(f.ask(0, 4));
      f.finish();
    }
    EXPECT_EQ(kept->wait(), 4);  // the reply came before the end of the session
  });
}

// A call without an ask: as with handlers of streams.
TEST_P(remote_misuse, a_function_that_throws) {
  const world_report report = observe(GetParam(), [](world& w) {
    remote_function f(w, [](int n) {
      if (n == 17) throw std::runtime_error("seventeen is too much");
      return n;
    });
    const session scope = f.begin();
    for (int i = 0; i < 100; ++i) f(i % w.size(), i % 10);
    if (w.rank() == 0) f(w.size() - 1, 17);
    f.finish();
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes.back().end, ending::other_exception);
  EXPECT_EQ(report.pes.back().what, "seventeen is too much");
}

TEST_P(remote_misuse, a_session_that_is_left_unfinished) {
  if (GetParam().pes < 2) return;
  const world_report report = observe(GetParam(), [](world& w) {
    remote_function f(w, [](int n) { return n; });
    const session scope = f.begin();
    if (w.rank() == 0) return;
    f.finish();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::contract_error);
  expect_mentions(report.pes[0].what, {"unfinished", "finish"});
}

TEST_P(remote_misuse, a_function_that_is_lost_in_its_session) {
  const world_report report = observe(GetParam(), [](world& w) {
    const auto make = [&] { return remote_function(w, [](int n) { return n; }); };
    auto f = std::make_unique<decltype(make())>(make());
    const session scope = f->begin();
    if (w.rank() == 0) {
      auto result = f->ask(w.size() - 1, 1);
      f.reset();
      EXPECT_TRUE(result.is_ready());
      expect_mentions(thrown_by<contract_error>([&] { (void)result.wait(); }), {"destroyed"});
      return;
    }
    f->finish();
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::contract_error);
}

INSTANTIATE_TEST_SUITE_P(collections, remote_misuse, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::remote_misuse_test
