#include "support/time_limit.hpp"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace boxcar::test {
namespace {

std::string message;

void give_up(int) {
  [[maybe_unused]] const auto ignored = write(STDERR_FILENO, message.data(), message.size());
  std::abort();
}

std::string current_test() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? "?" : std::string(test->test_suite_name()) + "." + test->name();
}

}  // namespace

time_limit::time_limit(std::chrono::seconds limit) {
  message = current_test() + " has not ended after " + std::to_string(limit.count()) +
            " seconds: it hangs, or is far too slow\n";
  std::signal(SIGALRM, give_up);
  alarm(static_cast<unsigned>(limit.count()));
}

time_limit::~time_limit() {
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
}

}  // namespace boxcar::test
