#include "substrate/liveness/abort_grace.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace boxcar::detail {
namespace {

constexpr auto own_abort_grace = std::chrono::milliseconds(300);
// The other PE notifies its peers, prints the reason, and waits for own_abort_grace. Each step may
// take longer under load.
constexpr auto abort_grace_of_another = std::chrono::milliseconds(2000);
static_assert(abort_grace_of_another > 2 * (max_failure_notice_time + own_abort_grace));

// The last failure counts: a program may continue after a failure, and fail in another world.
std::atomic<bool> is_that_of_another = false;

}  // namespace

void record_failure_origin(bool is_own) noexcept {
  is_that_of_another.store(!is_own, std::memory_order_relaxed);
}

void wait_abort_grace() noexcept {
  std::fflush(nullptr);
  const bool waits = is_that_of_another.load(std::memory_order_relaxed);
  std::this_thread::sleep_for(waits ? abort_grace_of_another : own_abort_grace);
}

}  // namespace boxcar::detail
