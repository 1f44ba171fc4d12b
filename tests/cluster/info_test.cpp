// Tests of `boxcar info` in a job: the command reports once the launcher, its choice and the
// reasons, and shows the variables behind the choice.
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test::info_test {
namespace {

struct expectation {
  std::string launcher;
  std::string choice;
  std::vector<std::string> variables;
};

void PrintTo(const expectation& expected, std::ostream* out) {
  *out << expected.launcher;
}

class info : public testing::TestWithParam<expectation> {
 protected:
  static std::string in_job(const char* variable, const char* value) {
    launched job({GetParam().launcher, "2", BOXCAR_COMMAND, "info"},
                 {.command = IN_CLUSTER, .one_output = true, .before_exec = [=] {
                    setenv(variable, value, 1);
                  }});
    job.read_until("chosen here: ", 1);
    const auto seen = job.wait_for(std::chrono::seconds(30));
    if (!seen) return job.output();  // see cluster_job.hpp
    EXPECT_EQ(seen->status, 0) << seen->output;
    return seen->output;
  }

  static void expect_once(const std::string& output, const std::string& text) {
    EXPECT_EQ(count(output, text), 1) << '"' << text << "\" in:\n" << output;
  }
};

TEST_P(info, tells_once_what_is_found_and_chosen_and_why) {
  const std::string seen = in_job("SHMEM_SYMMETRIC_SIZE", "64M");
  expect_once(seen, "\nchosen here: " + GetParam().choice + '\n');
  expect_once(seen, "/libboxcar_" + GetParam().launcher + ".so\n");
  EXPECT_EQ(count(seen, "cannot be opened"), 0) << seen;
  for (const std::string& variable : GetParam().variables) {
    expect_once(seen, "\n  " + variable + "\n      ");
  }
  expect_once(seen, "\n  SHMEM_SYMMETRIC_SIZE=64M\n      ");
  expect_once(seen, "\n  BOXCAR_SUBSTRATE (not set)\n      ");
}

TEST_P(info, tells_what_was_asked_for_in_its_stead) {
  const std::string seen = in_job("BOXCAR_SUBSTRATE", "alone");
  expect_once(seen, "\nchosen here: threads (BOXCAR_SUBSTRATE=alone)\n");
  expect_once(seen, "\n  " + GetParam().variables.front() + "\n      ");
  expect_once(seen, "\n  BOXCAR_SUBSTRATE=alone\n      ");
}

const std::vector<std::string> of_open_mpi{"OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_LOCAL_SIZE=2",
                                           "OMPI_COMM_WORLD_RANK=0"};

INSTANTIATE_TEST_SUITE_P(
    cluster, info,
    testing::Values(
        expectation{"openmpi", "openmpi (Open MPI's launcher started the program)", of_open_mpi},
        expectation{"mpich",
                    "mpich (a launcher that speaks PMI, such as MPICH's mpiexec, started the "
                    "program)",
                    {"PMI_RANK=0"}},
        expectation{"shmem", "shmem (oshrun started the program)", of_open_mpi}),
    [](const auto& expected) { return expected.param.launcher; });

}  // namespace
}  // namespace boxcar::test::info_test
