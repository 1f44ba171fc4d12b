// Tests of mistakes with schedules: the error has a message with the names of the vertices and the
// remedy, on all PEs if the call is collective.
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::schedule_misuse_test {
namespace {

using number = std::uint64_t;

class schedule_misuse : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

// Expects the error on all PEs, which can go on afterwards.
void expect_refusal(world& w, const schedule_builder& b,
                    std::initializer_list<std::string_view> parts,
                    const schedule_options& options = {}) {
  expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(b.compile(options)); }), parts);
  w.barrier();
}

TEST_P(schedule_misuse, graphs_that_do_not_fit_each_other) {
  on_all([](world& w) {
    const int last = w.size() - 1;
    window<number> data(w, 4);
    const auto one = data.local().first(1);
    {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == 0) b.name(b.send(one, last, 3), "question");
      expect_refusal(w, b,
                     {"PE 0, vertex 0 (question), send 8 bytes to PE " + std::to_string(last),
                      "tag 3", "has no receive"});
    }
    {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == last) b.receive(one);
      expect_refusal(w, b, {"PE " + std::to_string(last), "receive", "has no send"});
    }
    {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == 0) b.send(one, last);
      if (w.rank() == last) b.receive(data.local().last(2), 0);
      expect_refusal(w, b, {"has no receive", "lengths differ", "16 bytes"});
    }
  });
}

// The mistake of one PE is reported on all PEs.
TEST_P(schedule_misuse, circles_and_memory_that_is_used_twice) {
  on_all([](world& w) {
    const int last = w.size() - 1;
    window<number> data(w, 4);
    const auto part = [&](std::size_t i) { return data.local().subspan(i, 1); };
    {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == last) {
        const auto first = b.copy(part(0), part(1));
        const auto second = b.copy(part(2), part(3));
        b.name(second, "second");
        b.depend(second, first);
        b.depend(first, second);
      }
      expect_refusal(w, b, {"circle", "vertex 0, copy 8 bytes", "(second)"});
    }
    {
      schedule_builder b(w);
      b.use(data);
      if (w.rank() == last) {
        b.copy(part(0), part(1));
        b.copy(part(2), part(1));
      }
      expect_refusal(w, b, {"vertex 0", "vertex 1", "same memory", "depend"});
    }
  });
}

TEST_P(schedule_misuse, options_that_differ) {
  if (GetParam().pes == 1) GTEST_SKIP() << "one PE agrees with itself";
  on_all([](world& w) {
    const schedule_builder b(w);
    expect_refusal(w, b, {"eager_bytes", "5", "6"},
                   {.eager_bytes = w.rank() == 0 ? std::size_t{5} : 6});
    window<number> data(w, 1);
    schedule_builder c(w);
    if (w.rank() == 0) c.use(data);
    expect_refusal(w, c, {"windows"});
  });
}

TEST_P(schedule_misuse, memory_that_others_cannot_reach) {
  const bool is_one_process = GetParam().substrate == substrate_kind::threads ||
                              GetParam().substrate == substrate_kind::simulated;
  on_all([is_one_process](world& w) {
    std::array<number, 2> own{1, 2};
    schedule_builder b(w);
    const std::span all(own);
    if (w.rank() == 0) b.copy(all.first(1), all.last(1));
    if (is_one_process) {
      schedule s = b.compile();
      s.start();
      s.wait();
      EXPECT_EQ(own[1], w.rank() == 0 ? 1U : 2U);
    } else {
      expect_refusal(w, b, {"vertex 0, copy 8 bytes", "cannot reach", "schedule_builder::use"});
    }
  });
}

TEST_P(schedule_misuse, values_that_cannot_be) {
  on_all([](world& w) {
    window<number> data(w, 4);
    const auto one = data.local().first(1);
    const auto two = data.local().last(2);
    schedule_builder b(w);
    const auto refused = [](const auto& action) { return thrown_by<argument_error>(action); };
    expect_mentions(refused([&] { b.send(one, w.size()); }), {"send", "no PE"});
    expect_mentions(refused([&] { b.send(one, any_pe); }), {"send", "no PE -1"});
    expect_mentions(refused([&] { b.send(one, 0, any_tag); }), {"send", "tag is -1"});
    expect_mentions(refused([&] { b.receive(one, -2); }), {"receive", "no PE -2"});
    expect_mentions(refused([&] { b.receive(one, 0, -5); }), {"receive", "tag is -5"});
    expect_mentions(refused([&] { b.copy(one, two); }), {"copy", "8 bytes", "16"});
    expect_mentions(refused([&] { b.combine(two, one); }), {"combine", "16 bytes", "8"});
    const std::span<double> real(reinterpret_cast<double*>(two.data()), 2);
    expect_mentions(refused([&] { b.combine(real.first(1), real.last(1), arithmetic::bit_and); }),
                    {"combine", "bits", "integers"});
    expect_mentions(refused([&] { b.depend({0}, {1}); }), {"depend", "no vertex 0", "among the 0"});
    expect_mentions(refused([&] { b.name({-1}, "x"); }), {"name", "no vertex -1"});
    EXPECT_EQ(b.text(), "");
  });
}

TEST_P(schedule_misuse, starts_before_the_last_run_has_ended) {
  on_all([](world& w) {
    window<number> data(w, 2);
    schedule_builder b(w);
    b.use(data);
    if (w.rank() == 0) b.receive(data.local().first(1));
    if (w.rank() == w.size() - 1) b.send(data.local().last(1), 0);
    schedule s = b.compile();
    if (w.rank() == 0 && w.size() > 1) {
      s.start();
      EXPECT_FALSE(s.test());
      expect_mentions(thrown_by<contract_error>([&] { s.start(); }),
                      {"start", "run 1", "has not ended", "wait"});
    }
    w.barrier();
    if (w.rank() != 0 || w.size() == 1) s.start();
    s.wait();
    schedule moved = std::move(s);
    expect_mentions(
        thrown_by<contract_error>([&] { s.start(); }),  // NOLINT(bugprone-use-after-move)
        {"start", "moved from"});
    moved.start();
    moved.wait();
    w.barrier();
  });
}

TEST_P(schedule_misuse, builders_that_were_moved_from) {
  on_all([](world& w) {
    number room = 0;
    schedule_builder b(w);
    const schedule_builder other(std::move(b));
    // NOLINTBEGIN(bugprone-use-after-move)
    for (const std::function<void()>& use : std::initializer_list<std::function<void()>>{
             [&] { b.send(std::span(&room, 1), 0); }, [&] { b.depend({0}, {0}); },
             [&] { static_cast<void>(b.text()); }, [&] { static_cast<void>(b.compile()); }}) {
      expect_mentions(thrown_by<contract_error>(use), {"schedule_builder", "moved from"});
    }
    // NOLINTEND(bugprone-use-after-move)
    schedule s = other.compile();
    s.start();
    s.wait();
  });
}

// An exception of a function comes out of the wait for its schedule, and of no other; other
// schedules go on.
TEST_P(schedule_misuse, functions_that_throw) {
  on_all([](world& w) {
    window<number> data(w, 4);
    window<number> other(w, 1);
    other.local()[0] = 40 + static_cast<number>(w.rank());
    const int next = (w.rank() + 1) % w.size();
    schedule_builder b(w);
    b.use(data);
    const auto arrived = b.receive(data.local().subspan(0, 1));
    b.send(data.local().subspan(1, 1), next);
    number sum = 0;
    const auto fails = [](std::span<number>) { throw std::out_of_range("seven"); };
    b.depend(b.compute(fails, std::span(&sum, 1)), arrived);
    schedule s = b.compile();
    s.start();
    // By now the function has been called, or is called in a function below.
    w.barrier();
    number got = 0;
    other.get_nbi(std::span(&got, 1), next, 0);
    other.flush();
    EXPECT_EQ(got, 40U + static_cast<number>(next));
    window<number> made(w, 1);
    EXPECT_EQ(thrown_by<std::out_of_range>([&] { s.wait(); }), "seven");
    expect_mentions(thrown_by<contract_error>([&] { s.wait(); }),
                    {"wait", "function of run 1", "compile"});
    expect_mentions(thrown_by<contract_error>([&] { static_cast<void>(s.test()); }), {"test"});
    expect_mentions(thrown_by<contract_error>([&] { s.start(); }), {"start"});
    w.barrier();
  });
}

// No PE waits for the schedule: the world has failed.
TEST_P(schedule_misuse, functions_that_throw_and_nobody_hears) {
  const auto report = observe(GetParam(), [](world& w) {
    schedule_builder b(w);
    number sum = 0;
    b.compute([](std::span<number>) { throw std::out_of_range("seven"); }, std::span(&sum, 1));
    schedule s = b.compile();
    s.start();
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
}

// A PE fails in the middle of a run: the waiting PEs get an error.
TEST_P(schedule_misuse, a_pe_fails) {
  if (GetParam().pes == 1) GTEST_SKIP() << "nobody is left";
  const auto report = observe(GetParam(), [](world& w) {
    window<number> data(w, 2);
    schedule_builder b(w);
    b.use(data);
    b.receive(data.local().first(1));
    b.send(data.local().last(1), (w.rank() + 1) % w.size());
    schedule s = b.compile();
    if (w.rank() == 0) throw argument_error("enough");
    s.start();
    s.wait();
    w.barrier();
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error);
    expect_mentions(report.pes[pe].what, {"enough"});
  }
}

INSTANTIATE_TEST_SUITE_P(schedule, schedule_misuse, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::schedule_misuse_test
