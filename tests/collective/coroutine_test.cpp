// Coroutines of a PE wait for collectives and schedules: the coroutines go on side by side, in the
// order in which their runs end.
#include <algorithm>
#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/coroutine.hpp>
#include <boxcar/error.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::coroutine_test {
namespace {

class coroutines : public testing::TestWithParam<world_shape> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam(), body); }
};

task add_up(world& w, int times, std::int64_t& sum) {
  for (int i = 0; i < times; ++i) {
    co_await w.all_reduce_async(std::span(&sum, 1), std::span(&sum, 1));
  }
}

std::int64_t power(std::int64_t base, int times) {
  return times == 0 ? 1 : base * power(base, times - 1);
}

TEST_P(coroutines, go_on_side_by_side) {
  on_all([](world& w) {
    std::int64_t sum = 1;
    std::vector<double> long_sum(20'000, 1.0);
    std::vector<std::string> order;
    const auto note = [&order](world of, std::string name, std::span<double> values) -> task {
      order.push_back("begin " + name);
      co_await of.all_reduce_async(values, values);
      order.push_back("end " + name);
    };
    const auto both = [&]() -> task {
      co_await add_up(w, 3, sum);
      co_await add_up(w, 2, sum);
    };
    run_tasks(w, note(*w.split(0), "long", long_sum), both());
    EXPECT_EQ(sum, power(w.size(), 5));
    EXPECT_EQ(long_sum.back(), w.size());
    EXPECT_EQ(order, (std::vector<std::string>{"begin long", "end long"}));
    run_tasks(w, std::vector<task>{});
    w.barrier();
  });
}

// Worlds with started collectives, of tasks within tasks that end in different orders.
TEST_P(coroutines, end_their_worlds_in_one_order) {
  on_all([](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    constexpr std::size_t many = 3;
    for (int round = 0; round < 10; ++round) {
      const auto inner = [](world mine, std::int64_t& sum) -> task {
        co_await add_up(mine, 2, sum);
      };
      const auto outer = [&inner](world mine, std::int64_t& sum) -> task {
        co_await inner(std::move(mine), sum);
      };
      std::vector<std::int64_t> sums(many, 1);
      std::vector<task> tasks;
      std::vector<world> worlds;
      for (std::size_t i = 0; i < many; ++i) worlds.push_back(*w.split(0));
      // The tasks begin in different orders on different PEs.
      std::vector<std::size_t> order(many);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::rotate(order, order.begin() + d.below(static_cast<int>(many)));
      for (const std::size_t i : order) tasks.push_back(outer(std::move(worlds[i]), sums[i]));
      run_tasks(w, std::move(tasks));
      for (const std::int64_t sum : sums) EXPECT_EQ(sum, power(w.size(), 2));
    }
    w.barrier();
  });
}

// Tasks with worlds of their own keep apart, however late PEs are.
TEST_P(coroutines, of_one_kind_do_not_meet) {
  on_all([](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (int round = 0; round < 5; ++round) {
      const auto add = [](world mine, std::int64_t& sum) -> task { co_await add_up(mine, 3, sum); };
      std::int64_t one = 1;
      std::int64_t two = 2;
      std::vector<task> tasks;
      tasks.push_back(add(*w.split(0), one));
      tasks.push_back(add(*w.split(0), two));
      if (d.chance(50)) w.sleep(std::chrono::microseconds(d.below(500)));
      run_tasks(w, std::move(tasks));
      EXPECT_EQ(one, power(w.size(), 3));
      EXPECT_EQ(two, 2 * power(w.size(), 3));
    }
    w.barrier();
  });
}

// The task that goes on first, and so comes to the first start of a kind in its world, differs
// between PEs: broadcasts from different PEs end in different orders.
TEST_P(coroutines, start_in_any_order) {
  on_all([](world& w) {
    constexpr int tasks_at_once = 12;
    dice late(program_seed(1 + static_cast<std::uint64_t>(w.rank())));
    std::vector<std::vector<std::int64_t>> sums(tasks_at_once);
    const auto work = [&](world mine, int number, std::vector<std::int64_t>& sum) -> task {
      dice d(program_seed(static_cast<std::uint64_t>(number)));
      for (int step = 0; step < 6; ++step) {
        sum.assign(static_cast<std::size_t>(1 + d.below(3)), number);
        const int root = d.below(mine.size());
        if (late.chance(20)) mine.sleep(std::chrono::microseconds(late.below(200)));
        co_await mine.broadcast_async(std::span(sum), root);
        co_await mine.all_reduce_async(std::span(sum), std::span(sum));
      }
    };
    std::vector<task> tasks;
    for (int i = 0; i < tasks_at_once; ++i) {
      tasks.push_back(work(*w.split(0), i, sums[static_cast<std::size_t>(i)]));
    }
    run_tasks(w, std::move(tasks));
    for (std::int64_t i = 0; i < tasks_at_once; ++i) {
      EXPECT_EQ(sums[static_cast<std::size_t>(i)].back(), i * w.size());
    }
    w.barrier();
  });
}

// The order of the starts would differ between PEs.
TEST_P(coroutines, do_not_start_side_by_side_in_one_world) {
  const auto report = observe(GetParam(), [](world& w) {
    std::int64_t one = 1;
    std::int64_t two = 1;
    w.barrier_async().wait();
    const auto wait_for_all = [&]() -> task {
      collective_run never = w.barrier_async();  // the last PE comes later
      co_await never;
    };
    if (w.rank() == w.size() - 1) w.sleep(std::chrono::milliseconds(20));
    run_tasks(w, wait_for_all(), add_up(w, 3, one), add_up(w, 3, two));
  });
  if (GetParam().pes == 1) return;  // no other PE to wait for
  EXPECT_TRUE(report.failed);
  EXPECT_TRUE(std::ranges::any_of(report.pes, [](const pe_report& pe) {
    return pe.what.find("another coroutine waits for a run of this world") != std::string::npos;
  })) << report.failure;
}

// A coroutine waits for an action that another coroutine of the PE takes only after the wait has
// begun.
TEST_P(coroutines, do_not_hold_each_other_up) {
  on_all([](world& w) {
    collectives make(w);
    collective barrier = make.barrier();
    collective other = make.barrier();
    bool has_begun = false;
    const auto first = [&]() -> task {
      barrier.start();
      co_await barrier;
      EXPECT_TRUE(has_begun);
      co_await other;
    };
    const auto second = [&]() -> task {
      co_await w.barrier_async();
      has_begun = true;
      other.start();
      w.barrier();
    };
    if (w.rank() == 0) {
      run_tasks(w, second(), first());
    } else {
      w.barrier_async().wait();
      other.start();
      w.barrier();
      barrier.start();
      barrier.wait();
      other.wait();
    }
    w.barrier();
  });
}

TEST_P(coroutines, wait_for_schedules) {
  on_all([](world& w) {
    window<int> data(w, 2);
    schedule_builder graph(w);
    graph.use(data);
    graph.send(data.local().first(1), (w.rank() + 1) % w.size());
    graph.receive(data.local().last(1));
    schedule ring = graph.compile();
    const auto go_round = [&]() -> task {
      for (int i = 0; i < 3; ++i) {
        data.local()[0] = 100 * i + w.rank();
        ring.start();
        co_await ring;
        EXPECT_EQ(data.local()[1], 100 * i + (w.rank() + w.size() - 1) % w.size());
      }
    };
    std::int64_t sum = 1;
    run_tasks(w, go_round(), add_up(w, 4, sum));
    EXPECT_EQ(sum, power(w.size(), 4));
    w.barrier();
  });
}

TEST_P(coroutines, pass_on_what_is_thrown) {
  on_all([](world& w) {
    std::int64_t sum = 1;
    const auto fails = [&](bool at_once) -> task {
      if (!at_once) co_await add_up(w, 1, sum);
      throw std::runtime_error("no more paper");
    };
    const auto outer = [&](bool at_once) -> task { co_await fails(at_once); };
    collectives make(w);
    collective barrier = make.barrier();
    const auto waits = [&]() -> task {
      barrier.start();
      co_await barrier;
    };
    for (const bool at_once : {false, true}) {
      EXPECT_EQ(thrown_by<std::runtime_error>([&] { run_tasks(w, waits(), outer(at_once)); }),
                "no more paper");
      barrier.wait();
    }
    // Destroyed coroutines are not resumed.
    EXPECT_EQ(resume_coroutines(), 0U);
    w.barrier();
  });
}

TEST_P(coroutines, are_run_once) {
  on_all([](world& w) {
    std::int64_t sum = 1;
    task one = add_up(w, 1, sum);
    task other = std::move(one);
    const auto run = [&](task& t) { return [&w, &t] { run_tasks(w, std::move(t)); }; };
    expect_mentions(thrown_by<contract_error>(run(one)),  // NOLINT(bugprone-use-after-move)
                    {"moved from"});
    run_tasks(w, std::move(other));
    EXPECT_EQ(sum, w.size());
    w.barrier();
  });
}

// A coroutine type without knowledge of Boxcar throws where the coroutine is resumed.
class foreign {
 public:
  struct promise_type {
    foreign get_return_object() {
      return foreign(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };

  foreign(foreign&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  foreign& operator=(foreign&&) = delete;
  ~foreign() {
    if (coroutine_) coroutine_.destroy();
  }
  void begin() { coroutine_.resume(); }

 private:
  explicit foreign(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  std::coroutine_handle<promise_type> coroutine_;
};

TEST_P(coroutines, of_any_type_can_wait) {
  on_all([](world& w) {
    std::vector<std::int64_t> sums(3, 1);
    std::vector<collective_run> runs;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::span one = std::span(sums).subspan(i, 1);
      runs.push_back(w.all_reduce_async(one, one));
    }
    int ended = 0;
    const auto wait_for = [&](std::size_t i) -> foreign {
      co_await runs[i];
      ++ended;
      if (i == 0) throw std::runtime_error("no more paper");
    };
    std::vector<foreign> all;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      all.push_back(wait_for(i));
      try {
        all.back().begin();
      } catch (const std::runtime_error&) {  // the run had ended
      }
    }
    for (bool is_over = false; !is_over;) {
      try {
        is_over = resume_coroutines() == 0;
      } catch (const std::runtime_error&) {  // of the first coroutine; the other coroutines go on
      }
      w.idle();
    }
    EXPECT_EQ(ended, 3);
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, w.size());
    w.barrier();
  });
}

// Other work of the PE has the core: a loop of the program polls for the end of many runs.
TEST_P(coroutines, are_looked_at_without_sleeping) {
  if (GetParam().substrate == substrate_kind::simulated || GetParam().pes == 1) {
    GTEST_SKIP() << "needs a PE that others wait for in real time";
  }
  on_all([](world& w) {
    constexpr std::size_t many = 20;
    std::vector<std::int64_t> memory(many);
    collectives make(w);
    std::vector<collective> all;
    for (std::size_t i = 0; i < many; ++i) {
      all.push_back(make.broadcast(std::span(memory).subspan(i, 1), w.size() - 1,
                                   {.over = topology::k_nomial_tree}));
    }
    std::vector<foreign> waiting;
    const auto wait_for = [](collective& c) -> foreign { co_await c; };
    w.barrier();
    for (collective& c : all) {
      if (w.rank() == w.size() - 1) w.sleep(std::chrono::milliseconds(2));
      c.start();
      waiting.push_back(wait_for(c));
      waiting.back().begin();
    }
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_THREAD, &before);
    for (int i = 0; i < 5; ++i) static_cast<void>(resume_coroutines());
    getrusage(RUSAGE_THREAD, &after);
    EXPECT_LE(after.ru_nvcsw - before.ru_nvcsw, 2);  // for a lock held by another PE
    while (resume_coroutines() != 0) w.idle();
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(collective, coroutines, testing::ValuesIn(several_shapes()), by_name{});

TEST(coroutines_alone, hear_that_the_world_has_failed) {
  const world_report report = observe({substrate_kind::threads, 2, 1}, [](world& w) {
    w.barrier_async().wait();
    if (w.rank() == 1) throw std::runtime_error("no more paper");
    const auto waits = [&]() -> task { co_await w.barrier_async(); };
    run_tasks(w, waits());
  });
  EXPECT_EQ(report.pes[0].end, ending::world_error) << report.pes[0].what;
  expect_mentions(report.pes[0].what, {"no more paper"});
}

}  // namespace
}  // namespace boxcar::test::coroutine_test
