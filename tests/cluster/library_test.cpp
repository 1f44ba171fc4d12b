// Tests of a program in a job for which Boxcar's library is missing. The program fails with a
// message with the findings, the search path of the library and a remedy, and the remedy works. The
// program does not go on as many worlds of one PE, and does not hang.
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <ostream>
#include <string>

#include "tool/launched.hpp"

namespace boxcar::test::library_test {
namespace {

struct expectation {
  std::string launcher;
  std::string found;
};

void PrintTo(const expectation& expected, std::ostream* out) {
  *out << expected.launcher;
}

struct variable {
  const char* name;
  std::string value;
};

class without_its_library : public testing::TestWithParam<expectation> {
 protected:
  void SetUp() override {
    // The library is found where Boxcar is installed in the system.
    if (dlopen(library().c_str(), RTLD_LAZY) != nullptr) {
      GTEST_SKIP() << "the system's loader finds a " << library();
    }
  }

  static std::string library() { return "libboxcar_" + GetParam().launcher + ".so"; }

  // Returns the output of a job of two processes with the variable set.
  static std::string in_job(const variable& setting, bool succeeds) {
    launched job({GetParam().launcher, "2", FAR_FROM_LIBRARIES},
                 {.command = IN_CLUSTER, .one_output = true, .before_exec = [&setting] {
                    unsetenv("BOXCAR_LIBRARY_PATH");
                    setenv(setting.name, setting.value.c_str(), 1);
                  }});
    job.read_until(succeeds ? "PE " : "boxcar: ", 1);
    const auto seen = job.wait_for(std::chrono::seconds(60));
    EXPECT_TRUE(job.processes_of(FAR_FROM_LIBRARIES).empty()) << "the job hangs";
    if (!seen) return job.output();  // see cluster_job.hpp
    EXPECT_EQ(seen->status == 0, succeeds) << seen->output;
    return seen->output;
  }

  // Each process prints the text if it gets there before the launcher ends all processes because of
  // the other failure.
  static void expect_words(const std::string& output, const std::string& text) {
    EXPECT_GE(count(output, text), 1) << '"' << text << "\" in:\n" << output;
  }

  static void expect_advice(const std::string& output) {
    expect_words(output, "boxcar: " + GetParam().found + ", so Boxcar needs its library " +
                             library() +
                             ", which cannot be opened: build Boxcar where that MPI or "
                             "OpenSHMEM is installed and name the folder of " +
                             library() + " in BOXCAR_LIBRARY_PATH, or set BOXCAR_SUBSTRATE=alone ");
    expect_words(output, "\n  " ELSEWHERE "empty/" + library() + ": cannot open shared object");
    EXPECT_EQ(count(output, "PE "), 0) << output;
  }
};

TEST_P(without_its_library, it_tells_what_was_found_and_what_to_do) {
  expect_advice(in_job({"BOXCAR_LIBRARY_PATH", ""}, false));
}

TEST_P(without_its_library, it_tells_that_it_is_not_in_the_folder_given) {
  const std::string seen = in_job({"BOXCAR_LIBRARY_PATH", ELSEWHERE "nowhere"}, false);
  expect_advice(seen);
  expect_words(seen, "\n  " ELSEWHERE "nowhere/" + library() + ": cannot open shared object");
}

TEST_P(without_its_library, it_tells_what_the_loader_says_of_a_file_that_is_none) {
  const std::string seen = in_job({"BOXCAR_LIBRARY_PATH", ELSEWHERE "broken"}, false);
  expect_advice(seen);
  expect_words(seen, "\n  " ELSEWHERE "broken/" + library() + ": ");
}

TEST_P(without_its_library, it_tells_that_there_is_one_of_another_version) {
  const std::string seen = in_job({"BOXCAR_LIBRARY_PATH", ELSEWHERE "another_version"}, false);
  expect_words(seen, "boxcar: " ELSEWHERE "another_version/" + library() +
                         " is not of this program's version of Boxcar");
  EXPECT_EQ(count(seen, "PE "), 0) << seen;
}

TEST_P(without_its_library, it_runs_as_soon_as_the_folder_is_named) {
  const std::string seen = in_job({"BOXCAR_LIBRARY_PATH", BOXCAR_LIBRARIES}, true);
  EXPECT_EQ(count(seen, "PE 0 of 2\n"), 1) << seen;
  EXPECT_EQ(count(seen, "PE 1 of 2\n"), 1) << seen;
}

TEST_P(without_its_library, it_runs_alone_if_told_to) {
  const std::string seen = in_job({"BOXCAR_SUBSTRATE", "alone"}, true);
  EXPECT_EQ(count(seen, "PE 0 of 1\n"), 2) << seen;
}

INSTANTIATE_TEST_SUITE_P(
    cluster, without_its_library,
    testing::Values(expectation{"openmpi", "Open MPI's launcher started the program"},
                    expectation{
                        "mpich",
                        "a launcher that speaks PMI, such as MPICH's mpiexec, started the program"},
                    expectation{"shmem", "oshrun started the program"}),
    [](const auto& expected) { return expected.param.launcher; });

}  // namespace
}  // namespace boxcar::test::library_test
