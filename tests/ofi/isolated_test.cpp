// Tests of work in a process of its own: its end is reported in every case, and no trace is left
// here.
#include "substrate/ofi/isolated.hpp"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi::isolated_test {
namespace {

using namespace std::chrono_literals;

TEST(isolated, work_says_what_it_has_to_say) {
  EXPECT_EQ(isolated([] { return std::string("works"); }, 10s), "works");
  EXPECT_EQ(isolated([] { return std::string(100'000, 'x'); }, 10s), std::string(100'000, 'x'));
}

TEST(isolated, work_that_throws_says_why) {
  EXPECT_EQ(isolated([]() -> std::string { throw system_error("no such network"); }, 10s),
            "no such network");
}

TEST(isolated, work_that_crashes_is_told_by_its_signal) {
  const auto crash = [](int signal) {
    return isolated(
        [signal]() -> std::string {
          std::signal(signal, SIG_DFL);
          std::raise(signal);
          return "goes on";
        },
        10s);
  };
  EXPECT_EQ(crash(SIGSEGV), "crashes (Segmentation fault)");
  EXPECT_EQ(crash(SIGKILL), "crashes (Killed)");
}

TEST(isolated, work_that_ends_its_process_is_told_by_the_status) {
  EXPECT_EQ(isolated([]() -> std::string { _exit(3); }, 10s), "ends the process with status 3");
}

TEST(isolated, work_that_never_ends_hangs_and_is_ended) {
  const auto hang = [](bool by_computing) {
    return isolated(
        [by_computing]() -> std::string {
          for (volatile bool goes_on = true; goes_on;) {
            if (!by_computing) pause();
          }
          return "goes on";
        },
        200ms);
  };
  EXPECT_EQ(hang(true), "hangs");
  EXPECT_EQ(hang(false), "hangs");
}

}  // namespace
}  // namespace boxcar::detail::ofi::isolated_test
