#include "substrate/node_lock.hpp"

#include <chrono>

#include "substrate/shared_memory/futex.hpp"

namespace boxcar::detail {
namespace {

// A thread spins for about as long as another PE copies data under a lock.
constexpr int looks = 200;
constexpr std::chrono::milliseconds max_sleep(10);

}  // namespace

void node_lock::wait() {
  for (int i = 0; i < looks; ++i) {
    std::uint32_t expected = is_free;
    if (word_.load(std::memory_order_relaxed) == is_free &&
        word_.compare_exchange_weak(expected, is_held, std::memory_order_acquire,
                                    std::memory_order_relaxed)) {
      return;
    }
  }
  // From now on each unlock wakes a waiting thread, perhaps for nothing.
  while (word_.exchange(is_waited_for, std::memory_order_acquire) != is_free) {
    futex_wait(word_, is_waited_for, max_sleep);
  }
}

void node_lock::wake() {
  futex_wake_all(word_);
}

}  // namespace boxcar::detail
