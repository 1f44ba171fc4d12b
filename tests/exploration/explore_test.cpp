// What `explore` promises: it tries different orders, finds those in which a program is wrong,
// names them, and repeats them.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/explore.hpp>
#include <boxcar/window.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::explore_test {
namespace {

constexpr std::array strategies{exploration_strategy::random_walk, exploration_strategy::priorities,
                                exploration_strategy::depth_first};

// An increment that is no atomic one: between the two others may come, but seldom do.
void lose_updates(world& w) {
  window<int> sum(w, 1);
  counter done(w);
  const int before = sum.get(0, 0);
  done.add(0);  // others see it
  sum.put(before + 1, 0, 0);
  sum.flush();
  w.barrier();
  if (sum.get(0, 0) != w.size()) throw std::logic_error("an update was lost");
  w.barrier();
}

TEST(explore, names_and_repeats_an_order_in_which_a_program_is_wrong) {
  for (const auto strategy : strategies) {
    for (const int pes_per_node : {0, 1}) {
      explore_options options{.machine = {.pes = 3, .pes_per_node = pes_per_node},
                              .strategy = strategy};
      const exploration found = explore(options, lose_updates);
      ASSERT_EQ(found.failure, "an update was lost");
      options.replay = found.failed_run;
      const exploration again = explore(options, lose_updates);
      EXPECT_EQ(again.failure, found.failure) << found.failed_run;
      EXPECT_EQ(again.failed_run, found.failed_run);
      EXPECT_EQ(again.runs, 1u);
      ASSERT_EQ(again.traces.size(), 1u);
      EXPECT_TRUE(found.traces.contains(*again.traces.begin()));
    }
  }
}

void append_rank(world& w, std::set<std::vector<int>>& orders) {
  append_buffer<int> buffer(w, static_cast<std::size_t>(w.size()));
  buffer.push(w.rank(), 0);
  buffer.finish();
  const auto arrived = buffer.arrived();
  if (w.rank() == 0) orders.emplace(arrived.begin(), arrived.end());
  w.barrier();
}

TEST(explore, comes_to_all_orders) {
  for (const int pes : {2, 3}) {
    for (const auto strategy : strategies) {
      if (pes == 3 && strategy == exploration_strategy::depth_first) continue;
      std::set<std::vector<int>> orders;
      const exploration done = explore({.machine = {.pes = pes}, .strategy = strategy},
                                       [&](world& w) { append_rank(w, orders); });
      EXPECT_EQ(done.failure, "");
      EXPECT_EQ(orders.size(), pes == 2 ? 2u : 6u) << static_cast<int>(strategy);
    }
  }
}

TEST(explore, depth_first_ends_when_there_is_no_other_order) {
  std::uint64_t runs = 0;
  for (const std::size_t deviations : {0u, 1u, 2u}) {
    std::set<std::vector<int>> orders;
    const exploration done = explore({.machine = {.pes = 2},
                                      .strategy = exploration_strategy::depth_first,
                                      .runs = 100'000,
                                      .deviations = deviations},
                                     [&](world& w) { append_rank(w, orders); });
    EXPECT_EQ(done.failure, "");
    EXPECT_LT(done.runs, 100'000u);
    EXPECT_EQ(deviations == 0, done.runs == 1);
    EXPECT_GT(done.runs, runs);
    runs = done.runs;
  }
}

TEST(explore, repeats_itself) {
  for (const auto strategy : strategies) {
    const auto traces = [strategy] {
      std::set<std::vector<int>> orders;
      return explore({.machine = {.pes = 3, .pes_per_node = 2}, .strategy = strategy, .runs = 200},
                     [&](world& w) { append_rank(w, orders); })
          .traces;
    };
    const auto first = traces();
    EXPECT_EQ(traces(), first);
    EXPECT_GT(first.size(), 20u);
  }
}

// PE 1 tells only if it comes before PE 0.
TEST(explore, finds_pes_that_wait_for_ever) {
  for (const auto strategy : strategies) {
    const exploration found = explore({.machine = {.pes = 2}, .strategy = strategy}, [](world& w) {
      counter first(w);
      counter second(w);
      first.add(0);
      if (w.rank() == 0) {
        second.add(1);
        second.wait(1);
      } else if (second.value() == 0) {
        second.add(0);
      }
      w.barrier();
    });
    EXPECT_NE(found.failure.find("no PE can go on"), std::string::npos) << found.failure;
  }
}

TEST(explore, ends_runs_that_have_no_end) {
  for (const auto strategy : strategies) {
    const exploration found =
        explore({.machine = {.pes = 3}, .strategy = strategy, .longest = 500}, [](world& w) {
          counter c(w);
          for (int i = 0; c.value() >= 0; ++i) c.add(i % w.size());
        });
    EXPECT_NE(found.failure.find("have not ended after 500 events"), std::string::npos)
        << found.failure;
  }
}

TEST(explore, lets_any_pe_fail) {
  std::set<int> failed;
  const exploration done = explore(
      {.machine = {.pes = 3, .pes_per_node = 2}, .runs = 200, .one_pe_fails = true}, [&](world& w) {
        try {
          for (int i = 0; i < 20; ++i) w.barrier();
        } catch (const world_error&) {
          throw;
        } catch (const std::runtime_error&) {
          failed.insert(w.rank());
          throw;
        }
      });
  EXPECT_EQ(done.failure, "");
  EXPECT_EQ(done.runs, 200u);
  EXPECT_EQ(failed, (std::set<int>{0, 1, 2}));
}

// What goes wrong before it fails is found nevertheless.
TEST(explore, finds_what_is_wrong_where_a_pe_may_fail) {
  const exploration found = explore({.machine = {.pes = 3}, .one_pe_fails = true}, lose_updates);
  EXPECT_EQ(found.failure, "an update was lost");
}

TEST(explore, refuses_what_cannot_work) {
  const auto nothing = [](world&) { FAIL() << "a PE was started"; };
  EXPECT_THROW(explore({.change_points = 0}, nothing), argument_error);
  EXPECT_THROW(explore({.change_points = 6}, nothing), argument_error);
  EXPECT_THROW(explore({.longest = 0}, nothing), argument_error);
  EXPECT_THROW(explore({.machine = {.pes = 0}}, nothing), argument_error);
  for (const char* name :
       {"walk", "walk:", "walk:x", "walk:1,2", "walk:99999999999999999999999", "priorities:1,2",
        "priorities:1,0,3", "priorities:6,10,3", "path:1", "path:1=2,", "path:1 = 2", "way:3"}) {
    const std::string text = thrown_by<argument_error>([&] { explore({.replay = name}, nothing); });
    expect_mentions(text, {name, "walk:7"});
  }
}

}  // namespace
}  // namespace boxcar::test::explore_test
