// What is wrong with a command line is told once, and not by every process of the job.
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

INSTANTIATE_TEST_SUITE_P(cluster, wrong_usage, testing::Values("openmpi", "mpich", "shmem"),
                         [](const auto& launcher) { return launcher.param; });

}  // namespace
}  // namespace boxcar::test
