// Tests of jobs whose PEs go on in the forked process, as in other tests.
#include "launcher/job.hpp"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boxcar/boxcar.hpp>

namespace boxcar::launcher::job_test {
namespace {

using namespace std::chrono_literals;

TEST(job, runs_a_function_on_every_pe) {
  EXPECT_EQ(run_job({.pes = 5, .nodes = 2},
                    [](int rank) {
                      return boxcar::run([&](world& w) {
                        const bool good = w.rank() == rank && w.size() == 5 && w.nodes() == 2 &&
                                          w.reduce(rank) == 10 && w.substrate_name() == "processes";
                        if (!good) throw std::runtime_error("the world is not what it should be");
                      });
                    }),
            0);
}

TEST(job, returns_the_status_of_the_one_that_fails) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 4},
                    [](int rank) {
                      if (rank == 2) return 42;
                      while (true) pause();
                    }),
            42);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "boxcar run: PE 2 exited with status 42; ended PEs 0-1, 3\n");
}

TEST(job, reports_what_a_function_throws) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 3},
                    [](int rank) -> int {
                      if (rank == 1) throw std::runtime_error("out of coal");
                      while (true) pause();
                    }),
            1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "boxcar run: PE 1: out of coal\n");
}

TEST(job, reports_what_a_function_throws_after_leaving_the_world) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 3},
                    [](int rank) -> int {
                      const int status = boxcar::run([](world& w) { w.barrier(); });
                      if (rank == 1) throw std::runtime_error("out of coal");
                      return status;
                    }),
            1);
  const std::string errors = testing::internal::GetCapturedStderr();
  EXPECT_NE(errors.find("PE 1: out of coal\n"), std::string::npos) << errors;
  EXPECT_NE(errors.find("boxcar run: PE 1 exited with status 1"), std::string::npos) << errors;
}

TEST(job, reports_once_why_nothing_can_be_started) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 9}, [](int) -> int { throw cannot_start("no rails here", 77); }), 77);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "boxcar run: no rails here\n");
}

TEST(job, does_not_print_what_its_caller_has_buffered) {
  testing::internal::CaptureStdout();
  std::printf("once\n");
  EXPECT_EQ(run_job({.pes = 4}, [](int) { return 0; }), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "once\n");
}

TEST(job, ends_when_its_time_is_up) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 2, .timeout = 100ms},
                    [](int) -> int {
                      while (true) pause();
                    }),
            124);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("not finished after 0.1 seconds"),
            std::string::npos);
}

TEST(job, refuses_options_that_cannot_work) {
  const auto child = [](int) { return 0; };
  EXPECT_THROW(run_job({.pes = 0}, child), argument_error);
  EXPECT_THROW(run_job({.pes = 4, .nodes = 5}, child), argument_error);
  EXPECT_THROW(run_job({.pes = 4, .timeout = -1s}, child), argument_error);
}

TEST(job, leaves_its_process_as_it_was) {
  const pid_t other = fork();
  if (other == 0) {
    while (true) pause();
  }
  sigset_t before;
  sigprocmask(SIG_SETMASK, nullptr, &before);
  const auto leave_one_behind = [](int) {
    if (fork() == 0) {
      setsid();
      while (true) pause();
    }
    return 0;
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_job({.pes = 2}, leave_one_behind), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "boxcar run: ended 2 processes that the PEs had left running\n");

  EXPECT_EQ(waitpid(other, nullptr, WNOHANG), 0) << "another child should run on";
  kill(other, SIGKILL);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no other child should be left";
  sigset_t after;
  sigprocmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
  }
  int reaper = -1;
  prctl(PR_GET_CHILD_SUBREAPER, &reaper);
  EXPECT_EQ(reaper, 0);
}

TEST(job, is_not_confused_by_another_child_that_has_ended) {
  const pid_t other = fork();
  if (other == 0) _exit(0);
  poll(nullptr, 0, 50);  // so that the process waits to be waited for
  const auto leave_one_behind = [](int) {
    if (fork() == 0) {
      poll(nullptr, 0, 100);
      _exit(0);
    }
    return 0;
  };
  EXPECT_EQ(run_job({.pes = 2}, leave_one_behind), 0);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

}  // namespace
}  // namespace boxcar::launcher::job_test
