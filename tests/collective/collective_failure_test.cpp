// Tests of PEs that wait for the end of a collective while another PE fails, leaves or is killed:
// the waiting PEs get an error.
#include <chrono>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/coroutine.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/stall_time.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::collective_failure_test {
namespace {

struct way_to_wait {
  std::string name;
  std::function<void(world& w, collective& made, std::span<int> values)> wait;
  topology over = topology::automatic;
  bool polls = false;  // the PE may yet do something else: it cannot be diagnosed as stuck
};

// Calls a function with a world that lives on, or ends at once.
struct way_to_start {
  std::string name;
  std::function<void(world& w, const std::function<void(world&)>& start)> start;
};

std::string name_of(const way_to_start& way) {
  return way.name;
}

std::vector<way_to_start> ways_to_start() {
  return {{"in_the_world", [](world& w, const auto& start) { start(w); }},
          {"in_a_part", [](world& w, const auto& start) {
             world part = *w.split(0);
             start(part);
           }}};
}

std::string name_of(const way_to_wait& way) {
  return way.name;
}

std::vector<way_to_wait> ways_to_wait() {
  const auto run = [](world&, collective& made, std::span<int>) {
    made.start();
    made.wait();
  };
  const auto ask = [](world&, collective& made, std::span<int>) {
    made.start();
    while (!made.test()) {
    }
  };
  const auto started = [](world& w, collective&, std::span<int> values) {
    w.all_reduce_async(values, values).wait();
  };
  const auto await = [](world& w, collective& made, std::span<int>) {
    made.start();
    const auto waits = [&made]() -> task { co_await made; };
    run_tasks(w, waits());
  };
  return {{"wait", run, topology::automatic},
          {"wait_over_a_tree", run, topology::k_nomial_tree},
          {"test", ask, topology::automatic, true},
          {"test_over_a_tree", ask, topology::k_nomial_tree, true},
          {"wait_for_a_run", started},
          {"await", await, topology::automatic, true}};
}

class interrupted_collectives : public testing::TestWithParam<shaped<way_to_wait>> {
 protected:
  // All PEs have completed a run of each; in the next run the other PEs wait for PE 0.
  static world_report observe_others(const std::function<void(world&)>& first) {
    return observe(GetParam().shape, [&first](world& w) {
      const way_to_wait& way = GetParam().detail;
      std::vector<int> values(100);
      collectives make(w);
      collective made =
          make.all_reduce(std::span(values), std::span(values), std::plus<>{}, {.over = way.over});
      made.start();
      made.wait();
      w.all_reduce_async(std::span(values), std::span(values)).wait();
      if (w.rank() == 0) {
        w.sleep(std::chrono::milliseconds(20));
        first(w);
      } else {
        way.wait(w, made, values);
      }
    });
  }
};

TEST_P(interrupted_collectives, tell_of_an_exception) {
  const world_report report =
      observe_others([](world&) { throw std::runtime_error("no more paper"); });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;  // the PE ended before the failure
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 0", "no more paper"});
  }
}

TEST_P(interrupted_collectives, tell_of_a_pe_that_leaves) {
  if (GetParam().detail.polls) GTEST_SKIP() << "who polls is not stuck";
  const stall_time soon;
  const world_report report = observe_others([](world&) {});
  EXPECT_TRUE(report.failed);
}

TEST_P(interrupted_collectives, end_with_a_pe_that_is_killed) {
  if (GetParam().shape.substrate != substrate_kind::processes) {
    GTEST_SKIP() << "a thread cannot be killed";
  }
  const world_report report = observe_others([](world&) { std::raise(SIGKILL); });
  EXPECT_TRUE(report.failed);
  expect_mentions(report.failure, {"137"});
}

class abandoned_runs : public testing::TestWithParam<shaped<way_to_start>> {};

// No PE waits for the run, whose function throws while the world, or a subworld, ends.
TEST_P(abandoned_runs, that_fail_are_told) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    std::vector<int> values(4);
    const auto fails = [](int, int) -> int { throw std::runtime_error("no more paper"); };
    GetParam().detail.start(w, [&](world& of) {
      static_cast<void>(of.all_reduce_async(std::span(values), std::span(values), fails));
    });
  });
  EXPECT_TRUE(report.failed);
  if (GetParam().shape.substrate == substrate_kind::threads) {
    expect_mentions(report.failure, {"no more paper"});
  }
}

std::vector<world_shape> shapes() {
  using enum substrate_kind;
  return {{threads, 3, 1}, {threads, 3, 2}, {processes, 3, 1}, {processes, 3, 2}};
}

INSTANTIATE_TEST_SUITE_P(collective, interrupted_collectives,
                         testing::ValuesIn(on_shapes(shapes(), ways_to_wait())), by_name{});
INSTANTIATE_TEST_SUITE_P(collective, abandoned_runs,
                         testing::ValuesIn(on_shapes(shapes(), ways_to_start())), by_name{});

}  // namespace
}  // namespace boxcar::test::collective_failure_test
