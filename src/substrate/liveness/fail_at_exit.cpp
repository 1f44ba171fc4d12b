#include "substrate/liveness/fail_at_exit.hpp"

#include <atomic>
#include <cstdio>

#include "substrate/liveness/program_end.hpp"

namespace boxcar::detail {

void fail_at_exit(const std::string& text) noexcept {
  static std::atomic<bool> has_failed = false;
  if (has_failed.exchange(true, std::memory_order_relaxed)) return;
  std::fflush(stdout);
  std::fprintf(stderr, "boxcar: %s\n", text.c_str());
  check_at_end([](int) { return end_finding{.is_failure = true, .why = {}}; });
}

}  // namespace boxcar::detail
