// Tests of errors in a command line, or in a variable: errors are reported once, and not by every
// process of the job; but a process reports an error only visible to itself.
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test::usage_test {
namespace {

class wrong_usage : public testing::TestWithParam<std::string> {};

TEST_P(wrong_usage, is_told_once) {
  const ending_seen seen = boxcar_command({GetParam(), "3", BOXCAR_COMMAND, "bench", "chess"},
                                          {.command = IN_CLUSTER, .one_output = true});
  EXPECT_NE(seen.status, 0);
  EXPECT_EQ(count(seen.output, "there is no benchmark \"chess\""), 1) << seen.output;
}

// Commands of the shell: they set a variable for all PEs of a job, or for PE 1 alone, and become
// the program.
std::string on_all(const std::string& setting) {
  return setting + " exec $0";
}
std::string on_one(const std::string& setting) {
  return "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 1 ] || export " + setting + "; exec $0";
}

std::vector<std::string> job_of_three(const std::string& launcher, const std::string& command) {
  return {launcher, "3", "sh", "-c", command, little_program("deed")};
}

void expect_told_once(const std::string& launcher, const std::string& command,
                      const std::string& message) {
  launched job(job_of_three(launcher, command), {.command = IN_CLUSTER, .one_output = true});
  const auto seen = job.wait_for(std::chrono::seconds(30));
  if (!seen) {  // see cluster_job.hpp
    EXPECT_EQ(count(job.output(), message), 1) << job.output();
    GTEST_SKIP() << "the launcher hangs";
  }
  EXPECT_NE(seen->status, 0);
  EXPECT_EQ(count(seen->output, message), 1) << seen->output;
}

TEST_P(wrong_usage, of_variables_is_told_once) {
  expect_told_once(GetParam(), on_all("BOXCAR_NODES=9"), "3 PEs cannot be spread over 9 nodes");
  expect_told_once(GetParam(), on_all("BOXCAR_NODES=many"), "BOXCAR_NODES=many is not a number");
}

TEST_P(wrong_usage, of_variables_that_differ_is_told_once) {
  expect_told_once(GetParam(), on_one("BOXCAR_NODES=3"),
                   "PE 0 gives 1, PE 1 gives 3; set BOXCAR_NODES to the same on all PEs");
  expect_told_once(GetParam(), on_one("BOXCAR_NODES=many"), "BOXCAR_NODES=many is not a number");
}

// Each process with the error reports it. (MPICH's launcher lets the other processes wait for
// ever.)
TEST_P(wrong_usage, that_keeps_a_process_from_joining_is_told) {
  for (const std::string& command :
       {on_all("BOXCAR_SUBSTRATE=tcp"), on_one("BOXCAR_SUBSTRATE=tcp")}) {
    launched job(job_of_three(GetParam(), command), {.command = IN_CLUSTER, .one_output = true});
    job.read_until("BOXCAR_SUBSTRATE=tcp is no substrate", 1);
  }
}

// The library does not support the launcher, and each process would be a world of its own. The
// variables are those of a launcher with PMIx; no such launcher runs, so none is found.
TEST_P(wrong_usage, of_another_launcher_is_told) {
  const ending_seen seen = boxcar_command(
      {"sh", "-c", "PMIX_RANK=1 BOXCAR_SUBSTRATE=$1 exec $0", little_program("deed"), GetParam()},
      {.command = "/usr/bin/env", .one_output = true});
  EXPECT_NE(seen.status, 0);
  EXPECT_EQ(count(seen.output, "the launcher has started 2 processes of this program or more, but"),
            1)
      << seen.output;
}

INSTANTIATE_TEST_SUITE_P(cluster, wrong_usage, testing::Values("openmpi", "mpich", "shmem"),
                         [](const auto& launcher) { return launcher.param; });

}  // namespace
}  // namespace boxcar::test::usage_test
