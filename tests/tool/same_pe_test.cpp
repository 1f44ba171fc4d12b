// Tests of launchers that start several processes as one PE: one process at a time is the PE.
#include <gtest/gtest.h>
#include <string>

#include "launched.hpp"

namespace boxcar::test::same_pe_test {
namespace {

// The script starts a process in the background, and a second process once the first is in the
// world.
constexpr const char* beside =
    "f=$(mktemp -u); mkfifo $f; $0 0 hang > $f & read line < $f; rm $f; $0 0 nothing";

TEST(same_pe, can_be_one_process_at_a_time) {
  for (const char* const pes : {"1", "2"}) {
    const ending_seen seen =
        boxcar_command({"run", "-n", pes, "--", "sh", "-c", beside, little_program("deed")});
    EXPECT_EQ(seen.status, 1);
    EXPECT_GE(count(seen.errors, "(deed) cannot be PE "), 1) << seen.errors;
    EXPECT_GE(count(seen.errors, "(deed) is: a PE is one process at a time"), 1) << seen.errors;
    EXPECT_EQ(count(seen.errors, "different collectives"), 0) << seen.errors;
  }
}

TEST(same_pe, can_be_one_process_after_the_other) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "2", "--", "sh", "-c", "$0 && $0 && $0", little_program("hello")});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "of 2 on node 0 of 1, processes, sum 1"), 6) << seen.output;
}

// The unfinished work of a dead process is over for the PE; another process may go on as the PE.
TEST(same_pe, can_take_the_place_of_one_that_has_died) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "1", "--", "sh", "-c", "$0 0 exit-3; $0 0 nothing", little_program("deed")});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "done\n"), 1) << seen.output;
}

TEST(same_pe, can_be_a_program_that_runs_without_the_others_launcher) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "2", "--", "sh", "-c", "$0 | env -u BOXCAR_JOB $0", little_program("hello")});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "of 1 on node 0 of 1"), 2) << seen.output;
}

}  // namespace
}  // namespace boxcar::test::same_pe_test
