// Tests of a job ended from outside: by its time limit, by a signal to the launcher, or by the
// launcher's own death.
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::ending_test {
namespace {

using words = std::vector<std::string>;

words hanging_job(const std::string& others = "") {
  return {"run", "-n", "4", "--", little_program("deed"), "1", "hang", others};
}

// --- The time limit ------------------------------------------------------------------------------

TEST(timeout, says_what_each_pe_was_doing) {
  const ending_seen seen = boxcar_command({"run", "-n", "5", "--timeout", "1.5", "--", "sh", "-c",
                                           "case $BOXCAR_JOB in *:3) sleep 1000;; esac; exec $0",
                                           little_program("deed")});
  EXPECT_EQ(seen.status, 124);
  EXPECT_EQ(count(seen.errors, "not finished after 1.5 seconds"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "\n  PEs 0-2, 4: waiting in barrier\n"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "\n  PE 3: running, has not joined the world\n"), 1) << seen.errors;
}

TEST(timeout, says_in_which_world_each_pe_was_waiting) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "2", "--timeout", "1.5", "--", "env", "BOXCAR_STALL_SECONDS=0",
                      little_program("crosswise"), "barriers"});
  EXPECT_EQ(seen.status, 124);
  for (const std::string each :
       {"0: waiting in barrier of a part of the world (split 1, color 0)",
        "1: waiting in barrier of a part of the world (split 2, color 0)"}) {
    EXPECT_EQ(count(seen.errors, "\n  PE " + each + "\n"), 1) << seen.errors;
  }
}

TEST(timeout, ends_one_that_hangs) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "4", "--timeout", "1", "--", little_program("deed"), "1", "hang", "stubborn"});
  EXPECT_EQ(seen.status, 124);
  EXPECT_EQ(count(seen.errors, "\n  PE 1: in the world, in no collective\n"), 1) << seen.errors;
}

TEST(timeout, ends_one_that_is_stopped) {
  const ending_seen seen = boxcar_command(
      {"run", "-n", "4", "--timeout", "1", "--", little_program("deed"), "1", "stop"});
  EXPECT_EQ(seen.status, 124);
}

TEST(timeout, does_nothing_to_a_job_that_is_faster) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "4", "--timeout", "100", "--", little_program("deed")});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.errors, "");
  EXPECT_EQ(count(seen.output, "done"), 4);
}

// Only root can make a program that the launcher may not kill.
TEST(timeout, waits_for_nothing_that_it_may_not_end) {
  namespace fs = std::filesystem;
  if (geteuid() != 0) GTEST_SKIP() << "only root can give the rights of another user";
  const fs::path folder = fs::temp_directory_path() / ("boxcar_rights_" + std::to_string(getpid()));
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms(0755));
  const fs::path program = folder / "takes_rights";
  const fs::path command = folder / "boxcar";
  fs::copy_file(little_program("takes_rights"), program);
  fs::copy_file(BOXCAR_COMMAND, command);
  chmod(program.c_str(), 04755);
  const auto start = std::chrono::steady_clock::now();
  {
    constexpr uid_t nobody = 65534;
    launched job({"run", "-n", "2", "--timeout", "0.5", "--", program},
                 {.command = command, .before_exec = [] {
                    if (setgid(nobody) != 0 || setuid(nobody) != 0) _exit(98);
                  }});
    const auto seen = job.wait_for(std::chrono::seconds(20));
    const std::vector<pid_t> left = job.processes_of(program);
    for (const pid_t pid : left) kill(pid, SIGKILL);
    ASSERT_TRUE(seen);
    constexpr int no_user = 98;
    constexpr int no_rights = 7;
    if (seen->status == no_user || seen->status == no_rights) {
      fs::remove_all(folder);
      GTEST_SKIP() << "the rights of another user are not given here";
    }
    EXPECT_EQ(seen->status, 124) << seen->errors;
    EXPECT_EQ(left.size(), 2U);
    EXPECT_EQ(count(seen->errors, "PEs 0-1 could not be ended and may still run"), 1)
        << seen->errors;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  fs::remove_all(folder);
}

// --- Signals to the launcher ---------------------------------------------------------------------

class signal_to_launcher : public testing::TestWithParam<int> {};

void expect_end_by(int signal, launched& job) {
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 128 + signal);
  EXPECT_EQ(count(seen.errors, "boxcar run: ended by signal " + std::to_string(signal)), 1)
      << seen.errors;
  job.expect_nothing_left();
}

TEST_P(signal_to_launcher, ends_all) {
  launched job(hanging_job());
  job.read_until("ready", 4);
  job.signal(GetParam());
  expect_end_by(GetParam(), job);
}

TEST_P(signal_to_launcher, ends_all_who_mind) {
  launched job(hanging_job("stubborn"));
  job.read_until("ready", 4);
  job.signal(GetParam());
  expect_end_by(GetParam(), job);
}

TEST_P(signal_to_launcher, ends_all_through_scripts) {
  launched job({"run", "-n", "4", "--", "sh", "-c",
                "setsid sleep 1000 & $0 1 hang stubborn; exit 0", little_program("deed")});
  job.read_until("ready", 4);
  job.signal(GetParam());
  expect_end_by(GetParam(), job);
}

INSTANTIATE_TEST_SUITE_P(signals, signal_to_launcher,
                         testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT));

TEST(ending, is_told_as_the_signal_that_came) {
  for (const int signal : {SIGUSR1, SIGUSR2, SIGALRM, SIGRTMIN + 3}) {
    launched job({"run", "-n", "2", "--", "sh", "-c", "echo ready; sleep 1000"});
    job.read_until("ready", 2);
    job.signal(signal);
    expect_end_by(signal, job);
  }
}

class ignored_signal : public testing::TestWithParam<int> {};

// Signals are ignored under nohup, or under a shell that runs the launcher in the background.
TEST_P(ignored_signal, is_ignored_if_the_launcher_was_told_so) {
  const int signal = GetParam();
  launched job({"run", "-n", "2", "--", "sh", "-c", "echo ready; sleep 0.5; echo done"},
               {.before_exec = [signal] { std::signal(signal, SIG_IGN); }});
  job.read_until("ready", 2);
  job.signal(signal);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "done"), 2);
}

INSTANTIATE_TEST_SUITE_P(signals, ignored_signal, testing::Values(SIGINT, SIGHUP, SIGQUIT));

TEST(ending, works_if_the_parent_has_ignored_the_ends_of_children) {
  const ending_seen seen = boxcar_command({"run", "-n", "2", "--", "sh", "-c", "exit 4"},
                                          {.before_exec = [] { std::signal(SIGCHLD, SIG_IGN); }});
  EXPECT_EQ(seen.status, 4);
}

TEST(ending, ctrl_c_at_a_terminal_ends_all) {
  launched job(hanging_job("stubborn"), {.terminal = true});
  job.read_until("ready", 4);
  job.type("\x03");
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 128 + SIGINT);
  EXPECT_EQ(count(seen.output, "ended by signal 2 (SIGINT)"), 1) << seen.output;
  job.expect_nothing_left();
}

// --- Suspending ----------------------------------------------------------------------------------

char state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');
  return name_end == std::string::npos ? '?' : text.at(name_end + 2);
}

int stopped_among(const std::vector<pid_t>& pids) {
  int stopped = 0;
  for (const pid_t pid : pids) stopped += state_of(pid) == 'T' ? 1 : 0;
  return stopped;
}

// A suspended job is no stalled job, however long: one PE computes, the other PEs wait.
TEST(ending, a_job_that_was_suspended_goes_on) {
  launched job({"run", "-n", "3", "--", "env", "BOXCAR_STALL_SECONDS=0.4", little_program("deed"),
                "1", "compute"});
  job.read_until("ready", 3);
  const std::vector<pid_t> pes = job.processes_of(little_program("deed"));
  EXPECT_EQ(pes.size(), 3u);
  for (const pid_t pid : pes) kill(pid, SIGSTOP);
  job.read_for(std::chrono::milliseconds(800));
  for (const pid_t pid : pes) kill(pid, SIGCONT);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "done"), 3) << seen.output;
}

TEST(ending, suspending_the_launcher_suspends_the_pes) {
  const std::string pipe = testing::TempDir() + "boxcar-go-on-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int leave_to_end = open(pipe.c_str(), O_RDWR);
  // Like a shell's job the launcher is a process group of its own: where the test runs detached
  // from any terminal, the test's own group is orphaned, and the kernel does not stop an orphaned
  // group.
  launched job({"run", "-n", "2", "--", "sh", "-c", "echo ready; read line <$0; echo done", pipe},
               {.before_exec = [] { setpgid(0, 0); }});
  job.read_until("ready", 2);
  constexpr int all = 4;  // the launcher is two processes
  job.signal(SIGTSTP);
  EXPECT_TRUE(comes_true([&] { return stopped_among(job.processes()) == all; }));
  job.signal(SIGCONT);
  EXPECT_EQ(write(leave_to_end, "\n\n", 2), 2);
  const ending_seen seen = job.wait();
  close(leave_to_end);
  unlink(pipe.c_str());
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "done"), 2) << seen.output;
  job.expect_nothing_left();
}

// --- The launcher's death ------------------------------------------------------------------------

void expect_death_leaves_nothing(const words& line, const std::vector<std::string>& ready) {
  launched job(line);
  for (const std::string& text : ready) job.read_until(text, 4);
  job.signal(SIGKILL);
  EXPECT_EQ(job.wait().status, 128 + SIGKILL);
  job.expect_nothing_left();
}

TEST(launchers_death, ends_all) {
  expect_death_leaves_nothing(hanging_job(), {"ready"});
}

TEST(launchers_death, ends_all_who_mind) {
  expect_death_leaves_nothing(hanging_job("stubborn"), {"ready"});
}

TEST(launchers_death, ends_all_through_scripts) {
  expect_death_leaves_nothing(
      {"run", "-n", "4", "--", "sh", "-c", "$0 1 hang stubborn; exit 0", little_program("deed")},
      {"ready"});
}

TEST(launchers_death, ends_programs_that_know_nothing_of_boxcar) {
  expect_death_leaves_nothing({"run", "-n", "4", "--", "sh", "-c",
                               "sleep 1000 & setsid sleep 1000 & echo ready; sleep 1000; exit 0"},
                              {"ready"});
}

// Returns the second process of the launcher, the only child of the first process.
pid_t worker_of(const launched& job) {
  const std::string pid = std::to_string(job.pid());
  std::ifstream file("/proc/" + pid + "/task/" + pid + "/children");
  pid_t child = -1;
  file >> child;
  return child;
}

TEST(launchers_death, of_its_second_process_ends_all_as_well) {
  launched job({"run", "-n", "4", "--", "sh", "-c",
                "setsid sleep 1000 & $0 1 hang stubborn; exit 0", little_program("deed")});
  job.read_until("ready", 4);
  const pid_t worker = worker_of(job);
  ASSERT_GT(worker, 0);
  kill(worker, SIGKILL);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 137);
  EXPECT_EQ(count(seen.errors, "was killed by signal 9 (SIGKILL)"), 1) << seen.errors;
  job.expect_nothing_left();
}

TEST(launchers_death, of_both_its_processes_ends_the_pes) {
  launched job(
      {"run", "-n", "4", "--", "sh", "-c", "$0 1 hang stubborn; exit 0", little_program("deed")});
  job.read_until("ready", 4);
  const pid_t worker = worker_of(job);
  ASSERT_GT(worker, 0);
  kill(job.pid(), SIGSTOP);  // the launcher must not notice the other's end
  kill(worker, SIGKILL);
  job.signal(SIGKILL);
  EXPECT_EQ(job.wait().status, 137);
  job.expect_nothing_left();
}

// The end of a thread is not the end of its process.
TEST(launchers_death, is_not_that_of_a_thread_which_has_started_a_pe) {
  const ending_seen seen = boxcar_command({"run", "-n", "2", "--", little_program("from_thread"),
                                           little_program("deed"), "1", "compute"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "done"), 2) << seen.output;
}

// --- The parent's death --------------------------------------------------------------------------

TEST(parents_death, ends_all_if_that_is_asked_for) {
  // (The last command of a script would take the script's place.)
  launched job({"-c", "$0 run --end-with-parent -n 2 -- $1 1 hang; exit 0", BOXCAR_COMMAND,
                little_program("deed")},
               {.command = "/bin/sh"});
  job.read_until("ready", 2);
  kill(job.pid(), SIGKILL);
  EXPECT_EQ(job.wait().status, 128 + SIGKILL);
  job.expect_nothing_left();
}

// --- Processes left behind by PEs ----------------------------------------------------------------

TEST(ending, processes_that_pes_leave_behind_are_ended) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "3", "--", "sh", "-c", "setsid sleep 1000 & echo done"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "done"), 3);
  EXPECT_EQ(count(seen.errors, "ended 3 processes that the PEs had left running"), 1)
      << seen.errors;
}

TEST(ending, processes_that_pes_leave_behind_may_finish_what_they_print) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "3", "--", "sh", "-c", "(sleep 0.05; echo late) & echo early"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "early\n"), 3) << seen.output;
  EXPECT_EQ(count(seen.output, "late\n"), 3) << seen.output;
  EXPECT_EQ(seen.errors, "");
}

}  // namespace
}  // namespace boxcar::test::ending_test
