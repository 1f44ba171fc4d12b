// What is wrong with a command line, or with a variable, is told once, and not by every process of
// the job.
#include <chrono>
#include <gtest/gtest.h>
#include <string>

#include "tool/launched.hpp"

namespace boxcar::test {
namespace {

class wrong_usage : public testing::TestWithParam<std::string> {};

TEST_P(wrong_usage, is_told_once) {
  const ending_seen seen = boxcar_command({GetParam(), "3", BOXCAR_COMMAND, "bench", "chess"},
                                          {.command = IN_CLUSTER, .one_output = true});
  EXPECT_NE(seen.status, 0);
  EXPECT_EQ(count(seen.output, "there is no benchmark \"chess\""), 1) << seen.output;
}

// A job of three PEs, by a command of the shell that each of them runs.
void expect_told_once(const std::string& launcher, const std::string& command,
                      const std::string& message) {
  launched job({launcher, "3", "sh", "-c", command, little_program("deed")},
               {.command = IN_CLUSTER, .one_output = true});
  const auto seen = job.wait_for(std::chrono::seconds(30));
  if (!seen) GTEST_SKIP() << "the launcher hangs";  // see cluster_job.hpp
  EXPECT_NE(seen->status, 0);
  EXPECT_EQ(count(seen->output, message), 1) << seen->output;
}

TEST_P(wrong_usage, of_variables_is_told_once) {
  expect_told_once(GetParam(), "BOXCAR_NODES=9 exec $0", "3 PEs cannot be spread over 9 nodes");
}

TEST_P(wrong_usage, of_variables_that_differ_is_told_once) {
  expect_told_once(GetParam(),
                   "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 1 ] || export BOXCAR_NODES=3; exec $0",
                   "PE 0 gives 1, PE 1 gives 3; set BOXCAR_NODES to the same on all PEs");
}

INSTANTIATE_TEST_SUITE_P(cluster, wrong_usage, testing::Values("openmpi", "mpich", "shmem"),
                         [](const auto& launcher) { return launcher.param; });

}  // namespace
}  // namespace boxcar::test
