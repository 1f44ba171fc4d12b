// When a PE fails, the launcher ends the other PEs, names the failed PE, and leaves nothing behind.
#include <csignal>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "launched.hpp"
#include "support/sanitizers.hpp"

namespace boxcar::test::failure_test {
namespace {

// "Within a second"; more is allowed for, because the machine may be busy and sanitizers are slow.
struct misdeed {
  std::string what;
  int status;
  std::string message;  // after "boxcar run: "
};

void PrintTo(const misdeed& deed, std::ostream* out) {
  *out << deed.what;
}

std::string name_of(const testing::TestParamInfo<misdeed>& info) {
  std::string name = info.param.what;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

class pe_that : public testing::TestWithParam<misdeed> {};

void expect_blame(const ending_seen& seen, const misdeed& deed) {
  EXPECT_EQ(seen.status, deed.status);
  EXPECT_EQ(count(seen.errors, "boxcar run: " + deed.message), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "boxcar run: "), 1) << "more than one message: " << seen.errors;
  EXPECT_EQ(count(seen.output, "done"), 0) << seen.output;
}

TEST_P(pe_that, is_named_and_ends_the_job) {
  expect_blame(
      boxcar_command({"run", "-n", "5", "--", little_program("deed"), "2", GetParam().what}),
      GetParam());
}

TEST_P(pe_that, is_named_among_many) {
  expect_blame(
      boxcar_command({"run", "-n", "32", "--", little_program("deed"), "2", GetParam().what}),
      GetParam());
}

TEST_P(pe_that, ends_also_those_who_mind) {
  expect_blame(boxcar_command({"run", "-n", "5", "--", little_program("deed"), "2", GetParam().what,
                               "stubborn"}),
               GetParam());
}

TEST_P(pe_that, is_named_to_those_who_wait_for_a_counter) {
  expect_blame(boxcar_command({"run", "-n", "5", "--", little_program("deed"), "2", GetParam().what,
                               "counter"}),
               GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    failure, pe_that,
    testing::Values(misdeed{"exit-3", 3, "PE 2 exited with status 3"},
                    misdeed{"exit-0", 1, "PE 2 exited with status 0 without leaving the world"},
                    misdeed{"abort", 134, "PE 2 was killed by signal 6 (SIGABRT)"},
                    misdeed{"kill", 137, "PE 2 was killed by signal 9 (SIGKILL)"},
                    misdeed{"print-and-kill", 137, "PE 2 was killed by signal 9 (SIGKILL)"},
                    // The PE is named with its status, or with its error text if the machine is too
                    // busy to end the PE.
                    misdeed{"throw", 1, "PE 2 "}),
    name_of);

TEST(failure, of_one_that_throws_is_told_once) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "5", "--", little_program("deed"), "2", "throw"});
  EXPECT_EQ(count(seen.errors, "the reactor is too hot"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "PE 2: the reactor is too hot"), 1) << seen.errors;
}

TEST(failure, of_one_that_leaves_early_is_told_by_one_that_needs_it) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "5", "--", little_program("deed"), "2", "leave"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "PE 2 has left the world while PE"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "boxcar run: PE "), 1) << seen.errors;
}

// The PEs are threads of one process: the process ends with all PEs.
TEST(failure, of_a_thread_that_exits_is_told) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "4", "--threads", "--", little_program("deed"), "2", "exit-0"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "boxcar: PE 2 called exit(0)"), 1) << seen.errors;
  const ending_seen other =
      boxcar_command({"run", "-n", "4", "--threads", "--", little_program("deed"), "2", "exit-3"});
  EXPECT_EQ(other.status, 3);
  EXPECT_EQ(count(other.errors, "boxcar: PE 2 called exit(3)"), 1) << other.errors;
}

// The functions _exit, _Exit and quick_exit call no atexit handlers.
TEST(failure, of_a_thread_that_exits_at_once_is_told) {
  for (const std::string call : {"_exit", "_Exit", "quick_exit"}) {
    const ending_seen seen = boxcar_command(
        {"run", "-n", "4", "--threads", "--", little_program("deed"), "2", call + "-0"});
    EXPECT_EQ(seen.status, 1) << call;
    EXPECT_EQ(count(seen.errors, "boxcar: PE 2 called " + call + "(0)"), 1) << seen.errors;
  }
  const ending_seen other = boxcar_command(
      {"run", "-n", "4", "--threads", "--", little_program("deed"), "2", "quick_exit-3"});
  EXPECT_EQ(other.status, 3);
  EXPECT_EQ(count(other.errors, "boxcar: PE 2 called quick_exit(3)"), 1) << other.errors;
}

TEST(failure, of_a_thread_that_is_killed_is_told) {
  if (with_sanitizer) GTEST_SKIP() << "sanitizers have handlers of their own";
  const std::vector<std::pair<std::string, int>> ends{
      {"segfault", SIGSEGV}, {"overflow", SIGSEGV}, {"abort", SIGABRT}};
  for (const auto& [what, signal] : ends) {
    const ending_seen seen =
        boxcar_command({"run", "-n", "4", "--threads", "--", little_program("deed"), "2", what});
    EXPECT_EQ(seen.status, 128 + signal) << what;
    EXPECT_EQ(count(seen.errors,
                    "boxcar: PE 2, a thread, was killed by signal " + std::to_string(signal)),
              1)
        << what << ": " << seen.errors;
  }
}

TEST(failure, of_pes_that_wait_for_one_another_is_told) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "3", "--", "env", "BOXCAR_STALL_SECONDS=0.1",
                      little_program("deed"), "1", "forget-to-pull", "session"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_GE(count(seen.errors, "no PE can go on"), 1) << seen.errors;
  EXPECT_GE(count(seen.errors, "PE 1 must call pull"), 1) << seen.errors;
}

TEST(failure, of_worlds_with_windows_that_end_in_different_orders_is_told) {
  const char* const first =
      "in leaving a world with windows or collectives of a part of the world with 2 PEs (split 1, "
      "color 0)";
  const char* const second =
      "in leaving a world with windows or collectives of a part of the world with 2 PEs (split 2, "
      "color 0)";
  for (const char* const when : {"run", "join", "after-join"}) {
    for (const char* const nodes : {"1", "2"}) {
      SCOPED_TRACE(std::string(when) + " on " + nodes);
      const ending_seen seen =
          boxcar_command({"run", "-n", "2", "--nodes", nodes, "--", "env",
                          "BOXCAR_STALL_SECONDS=0.5", little_program("crosswise"), when});
      EXPECT_EQ(seen.status, 1);
      EXPECT_GE(count(seen.errors, first), 1) << seen.errors;
      EXPECT_GE(count(seen.errors, second), 1) << seen.errors;
      EXPECT_GE(count(seen.errors, "must end in the same order on every PE"), 1) << seen.errors;
    }
  }
}

TEST(failure, of_one_that_never_joins_is_told) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "4", "--", "sh", "-c",
                      "case $BOXCAR_JOB in *:1) exit 0;; esac; exec $0", little_program("deed")});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "boxcar run: PE 1 exited with status 0 without joining the world"),
            1)
      << seen.errors;
}

TEST(failure, of_one_that_does_not_join_again_is_told) {
  const ending_seen seen = boxcar_command({"run", "-n", "4", "--", little_program("worlds"), "2"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "boxcar run: PE 2 exited with status 0 without joining the world"),
            1)
      << seen.errors;
  EXPECT_EQ(count(seen.errors, "must call boxcar::run, and as often as the others"), 1)
      << seen.errors;
}

TEST(failure, is_seen_through_scripts) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "4", "--", "sh", "-c", "$0 3 kill; exit $?", little_program("deed")});
  EXPECT_EQ(seen.status, 137);
  EXPECT_EQ(count(seen.errors, "PE 3 exited with status 137"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "signal 9 (SIGKILL)"), 1) << seen.errors;
}

TEST(failure, ends_what_the_others_have_started) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "4", "--", "sh", "-c",
       "sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &) ; $0 1 exit-3",
       little_program("deed")});
  EXPECT_EQ(seen.status, 3);
}

TEST(failure, loses_nothing_that_was_printed) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "4", "--", little_program("deed"), "1", "print-and-kill"});
  EXPECT_EQ(count(seen.output, "last words\n"), 1) << seen.output;
  const ending_seen much =
      boxcar_command({"run", "-n", "2", "--", "sh", "-c",
                      "case $BOXCAR_JOB in *:1) seq 200000; kill -9 $$;; esac; sleep 1000"});
  EXPECT_EQ(much.status, 137);
  EXPECT_EQ(much.output.size(), 1288895u);  // of the numbers 1 to 200000, one on a line
  EXPECT_EQ(much.output.substr(much.output.size() - 14), "199999\n200000\n");
}

TEST(failure, at_the_same_moment_everywhere_is_told_once) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "8", "--", "sh", "-c", "echo oops >&2; exit 7"});
  EXPECT_EQ(seen.status, 7);
  EXPECT_EQ(count(seen.errors, "boxcar run: PE "), 1) << seen.errors;
}

}  // namespace
}  // namespace boxcar::test::failure_test
