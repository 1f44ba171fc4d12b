// A PE leaves collectives by an exception, or destroys collectives, while a run is in flight: then
// no other PE reads or writes its memory, and none of its functions is called.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/coroutine.hpp>

#include "collective/request.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::given_up_collective_test {
namespace {

constexpr int nothing = 0;
constexpr int gone = 99;

struct over_topology {
  topology over;
};

std::string name_of(const over_topology& t) {
  std::string name(detail::name_of(t.over));
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

// A mark sets a flag when destroyed: objects made before the mark are destroyed next.
class mark {
 public:
  explicit mark(std::atomic<bool>& is_gone) : is_gone_(is_gone) {}
  mark(const mark&) = delete;
  mark& operator=(const mark&) = delete;
  ~mark() { is_gone_ = true; }

 private:
  std::atomic<bool>& is_gone_;
};

void linger(world& w, dice& d) {
  if (d.chance(30)) return w.sleep(std::chrono::microseconds(d.below(100)));
  for (std::atomic<int> left = d.below(20'000); left > 0; --left) continue;
}

class given_up_collectives : public testing::TestWithParam<shaped<over_topology>> {
 protected:
  static collective_options options() { return {.over = GetParam().detail.over}; }
  // PE 1 runs the body, and throws; the other PEs run the body and wait. (AddressSanitizer detects
  // later accesses to memory of PE 1, where PEs are threads.)
  static void expect_world_to_fail(const std::function<void(world&, dice&, bool leaves)>& body) {
    for (int i = 0; i < 4; ++i) {
      const world_report report = observe(GetParam().shape, [&](world& w) {
        dice d(program_seed(static_cast<std::uint64_t>(100 * i + w.rank())));
        body(w, d, w.rank() == 1);
        w.barrier();
      });
      EXPECT_TRUE(report.failed);
      for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
        if (report.pes[pe].end == ending::unknown) continue;  // the launcher has ended the PE
        const ending expected = pe == 1 ? ending::other_exception : ending::world_error;
        EXPECT_EQ(report.pes[pe].end, expected) << "PE " << pe << ": " << report.pes[pe].what;
        if (pe != 1) expect_mentions(report.pes[pe].what, {"PE 1", "no more paper"});
      }
    }
  }
  static void leave_after_a_while(world& w, dice& d) {
    linger(w, d);
    throw std::runtime_error("no more paper");
  }
};

TEST_P(given_up_collectives, by_an_exception) {
  expect_world_to_fail([](world& w, dice& d, bool leaves) {
    std::vector<int> values(20'000, w.rank());
    std::vector<int> sums(values.size());
    collectives make(w);
    collective sum = make.all_reduce(std::span(values), std::span(sums), std::plus<>{}, options());
    collective spread = make.broadcast(std::span(values), 0, options());
    w.barrier();
    linger(w, d);
    sum.start();
    if (leaves) leave_after_a_while(w, d);
    sum.wait();
    EXPECT_EQ(sums.front(), w.size() * (w.size() - 1) / 2);
    EXPECT_EQ(sums.back(), w.size() * (w.size() - 1) / 2);
    spread.start();
    spread.wait();
  });
}

// Functions of runs that functions of the world started use destroyed objects, too.
TEST_P(given_up_collectives, of_the_world_with_functions) {
  const int pes = GetParam().shape.pes;
  shared_array<std::atomic<bool>> is_gone(static_cast<std::size_t>(pes));
  shared_array<std::atomic<bool>> is_called_late(1);
  expect_world_to_fail([&](world& w, dice& d, bool leaves) {
    is_gone[w.rank()] = false;
    std::vector<int> values(500, w.rank());
    std::vector<int> sums(500);
    std::vector<int> weights(1, 1);
    const mark before_that(is_gone[w.rank()]);
    const auto add = [&](int a, int b) {
      if (is_gone[w.rank()]) is_called_late[0] = true;
      return a + b * weights[0];
    };
    const std::span<const int> in(values);
    w.all_reduce_async(in, std::span(sums), std::ref(add), options()).wait();
    linger(w, d);
    collective_run run = w.all_reduce_async(in, std::span(sums), std::ref(add), options());
    if (leaves && d.chance(50)) run = w.barrier_async();  // and the handle is destroyed before
    if (leaves) leave_after_a_while(w, d);
    run.wait();
    if (!leaves) w.barrier_async().wait();
  });
  EXPECT_FALSE(is_called_late[0]);
}

TEST_P(given_up_collectives, that_coroutines_wait_for) {
  expect_world_to_fail([](world& w, dice& d, bool leaves) {
    std::vector<int> result(1000);
    collectives make(w);
    const auto spreads = [&]() -> task {
      std::vector<int> values(1000, w.rank());
      collective spread = make.broadcast(std::span(values), 0, options());
      for (int i = 0; i < 3; ++i) {
        spread.start();
        co_await spread;
      }
    };
    const auto adds = [&]() -> task {
      std::vector<int> values(1000, w.rank());
      const auto plus = [&values](int a, int b) { return a + b + 0 * values[0]; };
      co_await w.all_reduce_async(std::span<const int>(values), std::span(result), plus, options());
      if (leaves) leave_after_a_while(w, d);
      co_await w.all_reduce_async(std::span<const int>(values), std::span(result), plus, options());
    };
    run_tasks(w, spreads(), adds());
  });
}

TEST_P(given_up_collectives, leave_memory_alone) {
  run_on(GetParam().shape, [](world& w) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (int round = 0; round < 12; ++round) {
      const std::size_t length = round % 2 == 0 ? 10 : 10'000;
      const bool leaves = w.rank() == round % w.size();
      window<int> memory(w, 2 * length);
      const auto mine = memory.local().first(length);
      const auto sums = memory.local().last(length);
      std::ranges::fill(mine, w.rank());
      std::ranges::fill(sums, nothing);
      collectives make(w);
      make.use(memory);
      std::optional<collective> sum =
          make.all_reduce(std::span<const int>(mine), sums, std::plus<>{}, options());
      w.barrier();
      linger(w, d);
      sum->start();
      linger(w, d);
      const bool is_over = !leaves && sum->test();
      if (leaves) {
        sum.reset();
        std::ranges::fill(memory.local(), gone);
      }
      w.barrier();
      linger(w, d);
      if (is_over) {
        const int expected = w.size() * (w.size() - 1) / 2;
        EXPECT_EQ(std::ranges::count(sums, expected), std::ssize(sums));
      }
      sum.reset();
      w.barrier();
      if (leaves) {
        EXPECT_EQ(std::ranges::count(memory.local(), gone), std::ssize(memory.local()));
      }
      w.barrier();
    }
  });
}

std::vector<over_topology> topologies(bool with_shared_memory) {
  using enum topology;
  std::vector<over_topology> all{{k_nomial_tree}, {pairwise}, {dissemination}, {butterfly}};
  if (with_shared_memory) all.push_back({shared_memory});
  return all;
}

std::vector<world_shape> shapes(bool on_one_node) {
  std::vector<world_shape> all = with_at_least(2, several_shapes());
  std::erase_if(all, [on_one_node](const world_shape& s) { return (s.nodes == 1) != on_one_node; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(within_a_node, given_up_collectives,
                         testing::ValuesIn(on_shapes(shapes(true), topologies(true))), by_name{});
INSTANTIATE_TEST_SUITE_P(across_nodes, given_up_collectives,
                         testing::ValuesIn(on_shapes(shapes(false), topologies(false))), by_name{});

}  // namespace
}  // namespace boxcar::test::given_up_collective_test
