// Tests of the environment of PEs started by `boxcar run`.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "launched.hpp"
#include "support/sanitizers.hpp"

namespace boxcar::test::run_test {
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

TEST(run, makes_no_threads_of_a_program_that_joins) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "4", "--threads", "--", little_program("joins")});
  EXPECT_EQ(seen.status, 3);
  EXPECT_EQ(seen.output, "");
  EXPECT_EQ(count(seen.errors, "makes no PEs of threads"), 1) << seen.errors;
  const ending_seen processes = boxcar_command({"run", "-n", "1", "--threads", "--", BOXCAR_COMMAND,
                                                "run", "-n", "3", "--", little_program("joins")});
  EXPECT_EQ(processes.status, 0) << processes.errors;
  EXPECT_EQ(count(processes.output, "of 3"), 3) << processes.output;
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

void limit_to(int resource, rlim_t value) {
  const rlimit limit{value, value};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

void limit_open_files(rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(run, needs_few_open_files) {
  for (const rlim_t files : {rlim_t{100}, rlim_t{32}}) {
    const ending_seen seen =
        boxcar_command({"run", "-n", "2", "--", little_program("hello")},
                       {.before_exec = [files] { limit_open_files(files, files); }});
    EXPECT_EQ(seen.status, 0) << files << ": " << seen.errors;
    EXPECT_EQ(count(seen.output, "of 2 on node 0 of 1"), 2) << seen.output;
  }
  const ending_seen seen = boxcar_command({"run", "-n", "2", "--", little_program("hello")},
                                          {.before_exec = [] { limit_open_files(10, 10); }});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "ulimit -n"), 1) << seen.errors;
}

TEST(run, needs_little_stack) {
  if (with_sanitizer) GTEST_SKIP() << "sanitizers need more";
  constexpr rlim_t bytes = 64 << 10;
  const ending_seen seen = boxcar_command({"run", "-n", "2", "--", "echo", "moin"},
                                          {.before_exec = [] { limit_to(RLIMIT_STACK, bytes); }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.output, "moin\nmoin\n");
}

TEST(run, tells_when_the_limit_of_the_size_of_files_is_too_low) {
  const ending_seen seen = boxcar_command({"run", "-n", "2", "--", little_program("hello")},
                                          {.before_exec = [] { limit_to(RLIMIT_FSIZE, 1024); }});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "SIGXFSZ"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "ulimit -f"), 1) << seen.errors;
}

TEST(run, tells_when_its_output_may_grow_no_more) {
  const std::string file = testing::TempDir() + "limited_" + std::to_string(getpid());
  const ending_seen seen = boxcar_command(
      {"-c", "ulimit -f 64; exec \"$0\" run -n 2 -- sh -c 'yes | head -c 300000' >\"$1\"",
       BOXCAR_COMMAND, file},
      {.command = "/bin/bash"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "cannot write to standard output: File too large (SIGXFSZ)"), 1)
      << seen.errors;
  std::remove(file.c_str());
}

TEST(run, needs_no_high_limit_of_open_files_to_be_set) {
  const ending_seen seen = boxcar_command({"run", "-n", "60", "--", "sh", "-c", "ulimit -n"},
                                          {.before_exec = [] { limit_open_files(110, 4096); }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "110\n"), 60) << seen.output;  // the PEs have their usual limit
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
}  // namespace boxcar::test::run_test
