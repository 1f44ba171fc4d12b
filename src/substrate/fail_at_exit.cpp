#include "substrate/fail_at_exit.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace boxcar::detail {
namespace {

void end_as_failure(int status, void*) {
  constexpr int status_of_failure = 1;
  if (status != 0) return;
  std::fflush(nullptr);
  _exit(status_of_failure);
}

}  // namespace

void fail_at_exit(const std::string& text) noexcept {
  static std::atomic<bool> has_failed = false;
  if (has_failed.exchange(true, std::memory_order_relaxed)) return;
  std::fflush(stdout);
  std::fprintf(stderr, "boxcar: %s\n", text.c_str());
  static_cast<void>(on_exit(end_as_failure, nullptr));
}

}  // namespace boxcar::detail
