// Small programs in very many orders of what happens. BOXCAR_EXPLORE_SCHEDULES: how many different
// ones are to be tried, over all programs and strategies (make explore: a million), by random
// numbers from the seed BOXCAR_EXPLORE_SEED on. BOXCAR_EXPLORE_RUN: only the run that a failure has
// named, of the programs that are selected.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <vector>

#include <boxcar/explore.hpp>

#include "exploration/program.hpp"
#include "support/by_name.hpp"

namespace boxcar::test::exploration_test {
namespace {

struct way {
  const char* name;
  exploration_strategy strategy;
  int change_points;
  bool one_pe_fails;
  std::uint64_t shares;  // of the schedules of a program
};

const std::vector<way>& ways() {
  using enum exploration_strategy;
  static const std::vector<way> all{{"random_walk", random_walk, 1, false, 5},
                                    {"priorities_1", priorities, 1, false, 1},
                                    {"priorities_2", priorities, 2, false, 1},
                                    {"priorities_3", priorities, 3, false, 1},
                                    {"priorities_4", priorities, 4, false, 1},
                                    {"priorities_5", priorities, 5, false, 1},
                                    {"depth_first", depth_first, 1, false, 4},
                                    {"a_pe_fails", random_walk, 1, true, 2},
                                    {"a_pe_fails_by_priorities", priorities, 3, true, 1}};
  return all;
}

std::vector<program> all_programs() {
  std::vector<program> all;
  for (const auto& some : {conveyor_programs(), stream_programs(), collection_programs(),
                           one_sided_programs(), trigger_programs()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// Of an environment variable.
std::uint64_t number_of(const char* name, std::uint64_t usual) {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

std::uint64_t schedules_wanted() {
  return number_of("BOXCAR_EXPLORE_SCHEDULES", 9000);
}

// Of all tests together.
std::uint64_t& different_schedules() {
  static std::uint64_t sum = 0;
  return sum;
}

class tally final : public testing::Environment {
 public:
  void TearDown() override {
    std::cout << different_schedules() << " different schedules" << std::endl;
  }
};

// How to run a failure again.
std::string told(const way& by, const exploration& done) {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  return std::string(by.name) + ", run " + std::to_string(done.runs) + ": " + done.failure +
         "\nto run it again: BOXCAR_EXPLORE_WAY=" + by.name +
         " BOXCAR_EXPLORE_RUN=" + done.failed_run +
         " exploration_tests --gtest_filter=" + test->test_suite_name() + '.' + test->name();
}

class orders : public testing::TestWithParam<program> {
 protected:
  static explore_options options(const way& by) {
    const program& p = GetParam();
    return {.machine = {.pes = p.pes, .pes_per_node = p.pes_per_node},
            .strategy = by.strategy,
            .change_points = by.change_points,
            .one_pe_fails = by.one_pe_fails};
  }
};

// Each program has its share of the schedules, and each way its share of those. If they are not all
// different, there are more random walks.
TEST_P(orders, give_the_same_result) {
  const char* const run = std::getenv("BOXCAR_EXPLORE_RUN");
  const char* const only = std::getenv("BOXCAR_EXPLORE_WAY");
  std::uint64_t shares = 0;
  for (const way& by : ways()) shares += by.shares;
  std::uint64_t weights = 0;
  for (const program& each : all_programs()) weights += each.weight;
  const std::uint64_t wanted = schedules_wanted() * GetParam().weight / weights + 1;
  std::unordered_set<std::uint64_t> seen;
  std::uint64_t seed = number_of("BOXCAR_EXPLORE_SEED", 1);
  const auto explore_by = [&](const way& by, std::uint64_t runs) {
    explore_options o = options(by);
    o.machine.seed = seed;
    o.runs = runs;
    if (run != nullptr) o.replay = run;
    exploration done = explore(o, GetParam().run);
    seed += done.runs;
    seen.merge(done.traces);
    ASSERT_EQ(done.failure, "") << told(by, done);
  };
  for (const way& by : ways()) {
    if (only != nullptr && std::string(only) != by.name) continue;
    explore_by(by, wanted * by.shares / shares + 1);
    if (HasFatalFailure()) return;
  }
  for (int more = 0; more < 10 && only == nullptr && seen.size() < wanted; ++more) {
    explore_by(ways().front(), wanted - seen.size());
    if (HasFatalFailure()) return;
  }
  different_schedules() += seen.size();
}

INSTANTIATE_TEST_SUITE_P(programs, orders, testing::ValuesIn(all_programs()), by_name());

[[maybe_unused]] const auto* const counts = testing::AddGlobalTestEnvironment(new tally);

}  // namespace
}  // namespace boxcar::test::exploration_test
