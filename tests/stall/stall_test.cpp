// PEs that wait for each other and can never go on all get an error; PEs that wait for a computing
// PE, however long, get none.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "substrate/substrate.hpp"
#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/stall_time.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::stall_test {
namespace {

using namespace std::chrono_literals;

using action = std::function<void(world&)>;

constexpr auto allowed = 50ms;  // by stall_time
constexpr auto very_long = 3 * allowed;

// Computes without a waiting call of Boxcar.
void compute(std::chrono::milliseconds time) {
  std::this_thread::sleep_for(time);
}
[[noreturn]] void compute_until_the_world_fails(world& w) {
  for (;;) {
    compute(1ms);
    w.substrate()->check_failure();
  }
}

// Returns the cases on all shapes with enough PEs.
template <typename Case>
std::vector<shaped<Case>> on_large_enough(const std::vector<Case>& cases) {
  using enum substrate_kind;
  const auto shapes = or_cluster({{threads, 1, 1},
                                  {threads, 2, 1},
                                  {threads, 3, 2},
                                  {threads, 4, 1},
                                  {processes, 2, 2},
                                  {processes, 4, 1}});
  auto all = on_all_shapes(shapes, cases);
  std::erase_if(all, [](const auto& c) { return c.shape.pes < c.detail.least_pes; });
  return tier_cases(std::move(all), [](const auto& c) { return c.detail.name; });
}

struct hanging_case {
  std::string name;
  int least_pes;
  action body;
  std::vector<std::string> mentions;
};

std::string name_of(const hanging_case& c) {
  return c.name;
}

// Returns true on the PE that does not take part in the operation of the other PEs.
bool is_odd(const world& w) {
  return w.rank() == w.size() - 1;
}

void pull_everything(conveyor<int>& c) {
  for (int item = 0; c.pull(item);) {
  }
}

constexpr int many = 100000;  // more than all buffers hold

const conveyor_options small_buffers{.buffer_bytes = 64};

const std::vector<hanging_case> hanging_cases{
    {"reduce_while_a_stream_is_finished",
     2,
     [](world& w) {
       stream<int> s(w, [](int) {});
       const session scope = s.begin();
       if (is_odd(w)) static_cast<void>(w.reduce(1));
       s.finish();
     },
     {"in reduce for", "in finish of a stream (stream 1, session 1)"}},
    {"reduce_while_the_producers_of_a_stream_are_counted",
     2,
     [](world& w) {
       stream<int> s(w, [](int) {});
       const session scope = s.begin(counting(w.size()));
       if (is_odd(w)) static_cast<void>(w.reduce(1));
       s.done();
       s.finish();
     },
     {"in reduce for", "in finish of a stream (stream 1, session 1)"}},
    {"reduce_in_a_session_of_a_conveyor",
     2,
     [](world& w) {
       conveyor<int> c(w);
       const session scope = c.begin();
       if (is_odd(w)) static_cast<void>(w.reduce(1));
       while (c.advance(true)) pull_everything(c);
     },
     {"in reduce for", "in advance(true) (conveyor 1, session 1, endgame)"}},
    {"barrier_within_produce",
     2,
     [](world& w) {
       exchange<int>(
           w,
           [&](auto& out) {
             out.push(1, 0);
             if (is_odd(w)) w.barrier();
           },
           [](int) {});
     },
     {"in barrier, within exchange for", "in exchange (conveyor 1, session 1"}},
    {"one_forgets_to_pull",
     1,
     [](world& w) {
       conveyor<int> c(w);
       const session scope = c.begin();
       EXPECT_TRUE(c.push(1, w.size() - 1));
       while (c.advance(true)) {
         if (!is_odd(w)) pull_everything(c);
       }
     },
     {"items that were not pulled", "must call pull"}},
    {"one_forgets_to_pull_from_a_synchronous_conveyor",
     1,
     [](world& w) {
       conveyor<int> c(w, {.kind = conveyor_kind::simple, .buffer_bytes = 64});
       const session scope = c.begin();
       for (int i = 0; i < many && c.push(i, w.size() - 1); ++i) continue;
       while (c.advance(true)) {
         if (!is_odd(w)) pull_everything(c);
       }
     },
     {"in advance", "items that were not pulled", "must call pull"}},
    {"all_push_and_nobody_pulls",
     2,
     [](world& w) {
       conveyor<int> c(w, small_buffers);
       const session scope = c.begin();
       for (int i = 0; i < many; ++i) {
         while (!c.push(i, (w.rank() + 1) % w.size())) static_cast<void>(c.advance(false));
       }
       while (c.advance(true)) pull_everything(c);
     },
     {"in advance(false)", "without room for what to push", "items that were not pulled",
      "must call pull"}},
    {"one_pulls_and_forgets_to_advance",
     2,
     [](world& w) {
       conveyor<int> c(w);
       const session scope = c.begin();
       int item = 0;
       if (is_odd(w)) {
         while (!c.pull(item)) continue;
       }
       while (c.advance(true)) pull_everything(c);
     },
     {"pull or push, without advance", "must call advance"}},
    {"all_push_and_nobody_advances",
     2,
     [](world& w) {
       conveyor<int> c(w, small_buffers);
       const session scope = c.begin();
       for (int i = 0; i < many; ++i) {
         while (!c.push(i, (w.rank() + 1) % w.size())) continue;
       }
     },
     {"pull or push, without advance", "must call advance"}},
    {"replies_are_not_pulled",
     1,
     [](world& w) {
       biconveyor<int, int> b(w);
       const session scope = b.begin([](int query) { return query; });
       EXPECT_TRUE(b.push(1, 0));
       while (b.advance(true)) continue;
     },
     {"in advance of a biconveyor", "with replies that were not pulled", "must call pull"}},
    {"elastic_items_are_not_pulled",
     1,
     [](world& w) {
       elastic_conveyor c(w, 1000);
       const session scope = c.begin();
       const std::byte item{1};
       EXPECT_TRUE(c.push(std::span(&item, 1), 0));
       while (c.advance(true)) continue;
     },
     {"in advance(true)", "must call pull"}},
    {"two_wait_crosswise_while_another_computes",
     3,
     [](world& w) {
       std::optional<world> part = w.split(w.rank() < 2 ? 0 : -1);
       if (w.rank() >= 2) compute_until_the_world_fails(w);
       std::optional<world> same = part->split(0);
       if (w.rank() == 0) part->barrier();
       same->barrier();
     },
     {"2 of", "can never go on", "in barrier", "of a part of the world with 2 PEs"}},
    {"two_wait_in_parts_of_the_same_size",
     2,
     [](world& w) {
       std::optional<world> first = w.split(w.rank() < 2 ? 0 : -1);
       if (w.rank() >= 2) compute_until_the_world_fails(w);
       std::optional<world> second = first->split(7);
       (w.rank() == 0 ? first : second)->barrier();
     },
     {"in barrier of a part of the world with 2 PEs (split 1, color 0)",
      "in barrier of a part of the world with 2 PEs (split 1.1, color 7)"}},
    {"a_circle_of_three",
     3,
     [](world& w) {
       const auto pair_of = [&](int a, int b) {
         return w.split(w.rank() == a || w.rank() == b ? 0 : -1);
       };
       std::optional<world> a = pair_of(0, 1);
       std::optional<world> b = pair_of(1, 2);
       std::optional<world> c = pair_of(2, 0);
       if (w.rank() > 2) compute_until_the_world_fails(w);
       std::optional<world>& first = w.rank() == 0 ? a : w.rank() == 1 ? b : c;
       first->barrier();
     },
     {"PE 0: in barrier of a part of the world with 2 PEs (split 1, color 0)",
      "PE 2: in barrier of a part of the world with 2 PEs (split 3, color 0)"}},
    {"a_stream_over_a_part_while_one_is_in_the_whole",
     3,
     [](world& w) {
       std::optional<world> part = w.split(w.rank() == 0 ? -1 : 0);
       if (w.rank() == 0) return w.barrier();
       stream<int> s(*part, [](int) {});
       const session scope = s.begin();
       if (w.rank() == 1) w.barrier();
       s.finish();
     },
     // PE 0 may have waited too shortly to be named.
     {"1: in barrier for", "in finish of a stream"}},
    {"nobody_counts",
     1,
     [](world& w) {
       counter c(w);
       c.wait(1);
     },
     {"in wait for a counter"}},
    {"nobody_pushes",
     2,
     [](world& w) {
       append_buffer<int> b(w, 10);
       if (!is_odd(w)) return w.barrier();
       static_cast<void>(b.push(1, w.rank()));
       b.wait(2);
     },
     {"in wait for elements", "in barrier"}},
};

class pes_that_cannot_go_on : public testing::TestWithParam<shaped<hanging_case>> {};

TEST_P(pes_that_cannot_go_on, are_told_so) {
  const hanging_case& c = GetParam().detail;
  const stall_time set;
  const world_report report = observe(GetParam().shape, c.body);
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;  // the process ended first
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << "PE " << pe << report.pes[pe].what;
    for (const std::string& part : c.mentions) expect_mentions(report.pes[pe].what, {part});
  }
}

INSTANTIATE_TEST_SUITE_P(stall, pes_that_cannot_go_on,
                         testing::ValuesIn(on_large_enough(hanging_cases)), by_name{});

// PEs at the end of the world count as waiting for all PEs, as their program is over.
class pe_that_waits_for_those_who_leave : public testing::TestWithParam<world_shape> {};

TEST_P(pe_that_waits_for_those_who_leave, is_told_so) {
  const stall_time set;
  const world_report report = observe(GetParam(), [](world& w) {
    counter c(w);
    if (is_odd(w)) c.wait(1);
  });
  EXPECT_TRUE(report.failed);
  const pe_report& last = report.pes.back();
  if (last.end == ending::unknown) return;
  EXPECT_EQ(last.end, ending::world_error) << last.what;
  expect_mentions(last.what,
                  {"in wait for a counter", "leaving a world with windows or collectives"});
}

INSTANTIATE_TEST_SUITE_P(stall, pe_that_waits_for_those_who_leave,
                         testing::ValuesIn(or_cluster({{substrate_kind::threads, 2, 1},
                                                       {substrate_kind::threads, 3, 2},
                                                       {substrate_kind::processes, 4, 1}})),
                         by_name{});

struct patient_case {
  std::string name;
  int least_pes;
  action body;
};

std::string name_of(const patient_case& c) {
  return c.name;
}

const std::vector<patient_case> patient_cases{
    {"one_computes_while_the_others_wait", 2,
     [](world& w) {
       conveyor<int> c(w);
       stream<int> s(w, [](int) {});
       if (is_odd(w)) compute(very_long);
       w.barrier();
       {
         const session scope = c.begin();
         if (is_odd(w)) compute(very_long);
         while (c.advance(true)) pull_everything(c);
       }
       const session scope = s.begin();
       if (is_odd(w)) compute(very_long);
       s.finish();
     }},
    {"a_chain_of_which_the_last_computes", 3,
     [](world& w) {
       std::optional<world> front = w.split(w.rank() < 2 ? 0 : -1);
       std::optional<world> back = w.split(w.rank() == 1 || w.rank() == 2 ? 0 : -1);
       if (w.rank() == 2) compute(very_long);
       if (back) back->barrier();
       if (front) front->barrier();
     }},
    {"one_sleeps_and_one_idles", 2,
     [](world& w) {
       if (w.rank() == 0) w.sleep(very_long);
       const auto until = w.now() + very_long;
       while (w.rank() == 1 && w.now() < until) w.idle();
       w.barrier();
     }},
    {"a_handler_sleeps", 2,
     [](world& w) {
       stream<int> s(w, [&](int) { w.sleep(very_long); });
       const session scope = s.begin();
       if (w.rank() == 0) s.send(1, w.size() - 1);
       s.finish();
     }},
    {"one_serves", 2,
     [](world& w) {
       conveyor<int> c(w);
       const session scope = c.begin();
       const auto until = w.now() + very_long;
       // An event from outside may make the PE push at any time.
       while (is_odd(w) && w.now() < until) {
         static_cast<void>(c.advance(false));
         pull_everything(c);
       }
       int pulled = 0;
       EXPECT_TRUE(!is_odd(w) || c.push(1, 0));
       while (c.advance(true)) {
         for (int item = 0; c.pull(item);) ++pulled;
       }
       EXPECT_EQ(pulled, w.rank() == 0 ? 1 : 0);
     }},
    // The item of the last PE makes the first PE enter the barrier in which the second PE waits.
    {"an_item_will_set_them_free", 3,
     [](world& w) {
       std::optional<world> part = w.split(w.rank() < 2 ? 0 : -1);
       conveyor<int> c(w);
       const session scope = c.begin();
       if (w.rank() == 1) part->barrier();
       if (w.rank() == 2) {
         compute(very_long);
         EXPECT_TRUE(c.push(1, 0));
       }
       while (c.advance(true)) {
         for (int item = 0; c.pull(item);) part->barrier();
       }
     }},
    {"a_counter_that_is_late", 2,
     [](world& w) {
       counter c(w);
       window<int> a(w, 1);
       for (int pe = 0; pe < w.size(); ++pe) {
         if (pe != w.rank()) continue;
         if (is_odd(w)) compute(very_long);
         if (pe != 0) c.wait(1);
         if (!is_odd(w)) a.put(1, pe + 1, 0, c);
       }
       // A PE that is done waits at the end of the world, and serves requests.
       if (is_odd(w)) {
         compute(very_long);
         EXPECT_EQ(a.get(0, 0), 0);
       }
     }},
    {"one_comes_after_others_have_waited_for_long_in_turn", 2,
     [](world& w) {
       for (int turn = 0; turn < w.size(); ++turn) {
         if (turn == w.rank()) compute(2 * allowed);
         w.barrier();
       }
     }},
};

class pes_that_wait_for_long : public testing::TestWithParam<shaped<patient_case>> {};

TEST_P(pes_that_wait_for_long, go_on) {
  const stall_time set;
  run_on(GetParam().shape, GetParam().detail.body);
}

INSTANTIATE_TEST_SUITE_P(stall, pes_that_wait_for_long,
                         testing::ValuesIn(on_large_enough(patient_cases)), by_name{});

}  // namespace
}  // namespace boxcar::test::stall_test
