// Tests of a PE that ends while other PEs wait for it: the job ends by itself, with a failure
// status.
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "cluster/cluster_job.hpp"
#include "support/by_name.hpp"
#include "support/stall_time.hpp"

namespace boxcar::test::ending_test {
namespace {

struct misdeed {
  std::string launcher;
  std::string what;  // a deed of tests/tool/programs/deed.cpp
  std::string how;
  int nodes;
};

void PrintTo(const misdeed& deed, std::ostream* out) {
  *out << deed.what << ' ' << deed.how;
}

std::string name_of(const misdeed& deed) {
  std::string name = deed.launcher + "_" + deed.what + (deed.how.empty() ? "" : "_in_" + deed.how) +
                     "_n" + std::to_string(deed.nodes);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

std::vector<misdeed> misdeeds() {
  std::vector<misdeed> all;
  for (const char* launcher : {"openmpi", "mpich", "shmem"}) {
    for (const char* what : {"exit-0", "exit-3", "abort", "kill", "throw", "terminate"}) {
      all.push_back({launcher, what, "", 1});
      all.push_back({launcher, what, "", 2});
      all.push_back({launcher, what, "session", 2});
    }
    for (const int nodes : {1, 2}) all.push_back({launcher, "throw", "slow-words", nodes});
  }
  return all;
}

class pe_that : public testing::TestWithParam<misdeed> {};

TEST_P(pe_that, ends_the_job) {
  const misdeed& deed = GetParam();
  const job_ending seen = ending_of({.launcher = deed.launcher,
                                     .nodes = deed.nodes,
                                     .program = little_program("deed"),
                                     .words = {"2", deed.what, deed.how}});
  EXPECT_EQ(count(seen.output, "\ndone\n"), 0) << seen.output;
  if (!seen.status) return;  // nor can missing output be judged
  EXPECT_NE(*seen.status, 0) << seen.output;
  if (deed.what == "exit-0") {
    EXPECT_GE(count(seen.output, "PE 2 has left the world while PE"), 1) << seen.output;
  }
  if (deed.what == "throw") {
    EXPECT_EQ(count(seen.output, "boxcar: PE 2: the reactor is too hot"), 1) << seen.output;
  }
}

INSTANTIATE_TEST_SUITE_P(cluster, pe_that, testing::ValuesIn(misdeeds()), by_name{});

// A little program on 2 PEs, by each launcher.
class little_job : public testing::TestWithParam<std::string> {
 protected:
  // Expects a status that fits, and the text so often, if the launcher has ended.
  struct expectation {
    bool success;
    std::string text;
    int times;
  };
  static void run(int nodes, const std::string& program, const std::vector<std::string>& words,
                  const expectation& wanted) {
    const job_ending seen = ending_of({.launcher = GetParam(),
                                       .pes = 2,
                                       .nodes = nodes,
                                       .program = little_program(program),
                                       .words = words});
    if (!seen.status) return;
    EXPECT_EQ(*seen.status == 0, wanted.success) << seen.output;
    EXPECT_GE(count(seen.output, wanted.text), wanted.times) << seen.output;
  }
};

// No PE is in the world of all PEs any more, along whose tree PEs on several nodes are searched.
TEST_P(little_job, is_told_of_worlds_with_windows_that_end_in_different_orders_after_the_job) {
  const stall_time soon;
  run(2, "crosswise", {"after-join"},
      {.success = false, .text = "must end in the same order on every PE", .times = 1});
}

TEST_P(little_job, ends_what_it_keeps_beyond_run) {
  for (const int nodes : {1, 2}) {
    run(nodes, "keeps", {}, {.success = true, .text = "nothing is left", .times = 2});
  }
}

// The notices of the failures cross, and no node takes its own failure for one of another node.
TEST_P(little_job, is_told_of_nodes_that_fail_at_once) {
  run(2, "throws_at_end", {}, {.success = false, .text = ": no more paper", .times = 1});
}

INSTANTIATE_TEST_SUITE_P(cluster, little_job, testing::Values("openmpi", "mpich", "shmem"),
                         [](const auto& launcher) { return launcher.param; });

}  // namespace
}  // namespace boxcar::test::ending_test
