// What PEs find when `boxcar run` has started them.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "launched.hpp"

namespace boxcar::test {
namespace {

std::vector<std::string> sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(run, makes_one_world_of_all_processes) {
  const ending_seen seen = boxcar_command({"run", "-n", "3", "--", little_program("hello")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.errors, "");
  EXPECT_EQ(sorted_lines(seen.output),
            (std::vector<std::string>{"PE 0 of 3 on node 0 of 1, processes, sum 3, input \"\"",
                                      "PE 1 of 3 on node 0 of 1, processes, sum 3, input \"\"",
                                      "PE 2 of 3 on node 0 of 1, processes, sum 3, input \"\""}));
}

TEST(run, makes_one_world_after_the_other) {
  const ending_seen seen = boxcar_command({"run", "-n", "5", "--", little_program("worlds")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.errors, "");
  EXPECT_EQ(seen.output, "all is well\n");
}

TEST(run, pretends_nodes) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "5", "--nodes", "2", "--", little_program("hello")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "on node 0 of 2"), 3) << seen.output;
  EXPECT_EQ(count(seen.output, "on node 1 of 2"), 2) << seen.output;
}

TEST(run, starts_many) {
  const ending_seen seen = boxcar_command({"run", "-n", "64", "--", little_program("hello")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "of 64 on node 0 of 1, processes, sum 2016"), 64);
}

TEST(run, labels_lines) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "3", "--label", "--", little_program("hello")});
  for (const char* line : {"[0] PE 0 of 3", "[1] PE 1 of 3", "[2] PE 2 of 3"}) {
    EXPECT_EQ(count(seen.output, line), 1) << seen.output;
  }
}

TEST(run, gives_its_input_to_the_first) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "2", "--", little_program("hello")}, {.input = "a word"});
  EXPECT_EQ(count(seen.output, "PE 0 of 2 on node 0 of 1, processes, sum 1, input \"a word\"\n"), 1)
      << seen.output;
  EXPECT_EQ(count(seen.output, "PE 1 of 2 on node 0 of 1, processes, sum 1, input \"\"\n"), 1)
      << seen.output;
}

TEST(run, tells_whether_there_is_a_terminal) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "2", "--", little_program("hello")}, {.terminal = true});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, ", input \"\", terminal"), 2) << seen.output;
}

TEST(run, works_through_scripts) {
  // Descriptors below 10 are for scripts to use as they like.
  const ending_seen seen =
      boxcar_command({"run", "-n", "3", "--", "sh", "-c",
                      "exec 3</dev/null 9</dev/null; $0; exit $?", little_program("hello")});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "of 3 on node 0 of 1, processes, sum 3"), 3) << seen.output;
}

TEST(run, starts_programs_that_know_nothing_of_boxcar) {
  const ending_seen seen = boxcar_command({"run", "-n", "4", "--", "echo", "moin"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.output, "moin\nmoin\nmoin\nmoin\n");
  EXPECT_EQ(seen.errors, "");
}

TEST(run, can_make_threads_instead) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "4", "--nodes", "2", "--threads", "--", little_program("hello")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "of 4 on node 1 of 2, threads, sum 6"), 2) << seen.output;
}

TEST(run, can_be_nested) {
  const ending_seen threads = boxcar_command({"run", "-n", "2", "--", BOXCAR_COMMAND, "run", "-n",
                                              "3", "--threads", "--", little_program("hello")});
  EXPECT_EQ(count(threads.output, "of 3 on node 0 of 1, threads, sum 3"), 6) << threads.output;
  const ending_seen processes = boxcar_command(
      {"run", "-n", "2", "--", BOXCAR_COMMAND, "run", "-n", "3", "--", little_program("hello")});
  EXPECT_EQ(count(processes.output, "of 3 on node 0 of 1, processes, sum 3"), 6)
      << processes.output;
}

void limit_open_files(rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(run, needs_no_high_limit_of_open_files_to_be_set) {
  const ending_seen seen = boxcar_command({"run", "-n", "60", "--", "sh", "-c", "ulimit -n"},
                                          {.before_exec = [] { limit_open_files(110, 4096); }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "110\n"), 60) << seen.output;  // the PEs have what they would have
}

TEST(run, tells_when_the_limit_of_open_files_is_too_low) {
  const ending_seen seen = boxcar_command({"run", "-n", "60", "--", "sleep", "100"},
                                          {.before_exec = [] { limit_open_files(110, 110); }});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "cannot start PE "), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "ulimit -n"), 1) << seen.errors;
}

TEST(run, works_without_standard_descriptors) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "2", "--", little_program("hello")}, {.before_exec = [] {
                       close(STDIN_FILENO);
                       close(STDOUT_FILENO);
                     }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.errors, "");
}

}  // namespace
}  // namespace boxcar::test
