// Tests of moved conveyors: the new conveyor continues the session of the old, and the old rejects
// every use.
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::moved_conveyor_test {
namespace {

class moved_conveyor : public testing::TestWithParam<conveyor_setup> {};

// One item to each PE.
void run_session(conveyor<int>& c, int pes) {
  const session s = c.begin();
  int left = pes;
  int arrived = 0;
  int item = 0;
  while (c.advance(left == 0)) {
    while (left > 0 && c.push(left, left % pes)) --left;
    while (c.pull(item)) ++arrived;
  }
  EXPECT_EQ(arrived, pes);
}

TEST_P(moved_conveyor, works) {
  run_on(GetParam().shape, [](world& w) {
    conveyor<int> first(w, GetParam().options);
    run_session(first, w.size());
    conveyor<int> second(std::move(first));
    run_session(second, w.size());
    conveyor<int> third(w, GetParam().options);
    third = std::move(second);
    run_session(third, w.size());
    EXPECT_EQ(third.total_statistics().begins, 3U);
  });
}

TEST_P(moved_conveyor, lives_in_a_container) {
  run_on(GetParam().shape, [](world& w) {
    std::vector<conveyor<int>> several;
    for (int i = 0; i < 5; ++i) {
      several.emplace_back(w, GetParam().options);
      for (conveyor<int>& c : several) run_session(c, w.size());
    }
  });
}

TEST_P(moved_conveyor, leaves_nothing_behind) {
  run_on(GetParam().shape, [](world& w) {
    conveyor<int> first(w, GetParam().options);
    const conveyor<int> second(std::move(first));
    int item = 0;
    const auto refused = [](const auto& use) {
      expect_mentions(thrown_by<contract_error>(use), {"moved"});
    };
    // NOLINTBEGIN(bugprone-use-after-move): the test uses moved-from conveyors
    refused([&] { const session s = first.begin(); });
    refused([&] { return first.push(1, 0); });
    refused([&] { return first.pull(item); });
    refused([&] { return first.unpull(); });
    refused([&] { first.advance(true); });
    refused([&] { first.reset(); });
    refused([&] { static_cast<void>(first.state()); });
    // NOLINTEND(bugprone-use-after-move)
  });
}

TEST_P(moved_conveyor, takes_its_session_along) {
  run_on(GetParam().shape, [](world& w) {
    conveyor<int> first(w, GetParam().options);
    const session s = first.begin();
    while (!first.push(41, w.rank())) first.advance(false);
    conveyor<int> second(std::move(first));
    EXPECT_EQ(second.state(), conveyor_state::working);
    while (!second.push(42, w.rank())) second.advance(false);
    int item = 0;
    int sum = 0;
    while (second.advance(true)) {
      while (second.pull(item)) sum += item;
    }
    EXPECT_EQ(sum, 83);
    second.reset();
    EXPECT_EQ(second.state(), conveyor_state::dormant);
  });
}

// The scope of a session ends the session of the conveyor wherever the conveyor is by then.
TEST_P(moved_conveyor, is_followed_by_the_scope_of_its_session) {
  run_on(GetParam().shape, [](world& w) {
    std::vector<conveyor<int>> several;
    several.emplace_back(w, GetParam().options);
    for (int round = 0; round < 3; ++round) {
      const session s = several.front().begin();
      several.emplace_back(w, GetParam().options);  // moves the other conveyors, now and then
      several.shrink_to_fit();
      int left = w.size();
      int arrived = 0;
      int item = 0;
      while (several.front().advance(left == 0)) {
        while (left > 0 && several.front().push(left, left % w.size())) --left;
        while (several.front().pull(item)) ++arrived;
      }
      EXPECT_EQ(arrived, w.size());
    }
    EXPECT_EQ(several.front().state(), conveyor_state::dormant);
    EXPECT_EQ(several.front().total_statistics().begins, 3U);
    std::swap(several.front(), several.back());
    EXPECT_EQ(several.back().total_statistics().begins, 3U);
  });
}

TEST_P(moved_conveyor, may_go_when_its_session_is_over) {
  run_on(GetParam().shape, [](world& w) {
    auto c = std::make_unique<conveyor<int>>(w, GetParam().options);
    const session s = c->begin();
    while (c->advance(true)) {
    }
    c->reset();
    c.reset();
  });
}

INSTANTIATE_TEST_SUITE_P(contract, moved_conveyor,
                         testing::ValuesIn(plain_setups(small_shapes(), is_fixed_size)), by_name{});

// PE 0 loses its conveyor in a session: PE 0 gets an error, and so do the waiting PEs.
class lost_conveyor : public testing::TestWithParam<conveyor_setup> {
 protected:
  using pointer = std::unique_ptr<conveyor<int>>;

  static void expect_failure(const std::function<void(pointer& c, conveyor<int>& idle)>& lose,
                             std::string_view how) {
    const world_report report = observe(GetParam().shape, [&](world& w) {
      conveyor<int> idle(w, GetParam().options);
      auto c = std::make_unique<conveyor<int>>(w, GetParam().options);
      const session s = c->begin();
      if (w.rank() == 0) return lose(c, idle);
      while (c->advance(true)) {
      }
    });
    EXPECT_TRUE(report.failed);
    EXPECT_EQ(report.pes[0].end, ending::contract_error) << report.pes[0].what;
    for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
      // Processes may be ended before they notice.
      if (report.pes[pe].end == ending::unknown) continue;
      EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
      expect_mentions(report.pes[pe].what, {"PE 0", "a conveyor was", how, "working"});
    }
  }
};

TEST_P(lost_conveyor, is_assigned_over) {
  expect_failure([](pointer& c, conveyor<int>& idle) { *c = std::move(idle); }, "assigned over");
}

TEST_P(lost_conveyor, is_destroyed) {
  expect_failure([](pointer& c, conveyor<int>&) { c.reset(); }, "destroyed");
}

INSTANTIATE_TEST_SUITE_P(contract, lost_conveyor,
                         testing::ValuesIn(plain_setups(with_at_least(2, small_shapes()),
                                                        is_fixed_size)),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::moved_conveyor_test
