// A lock in memory shared by the PEs of a node, for changes of one another's data by several
// stores. PEs and their progress threads hold the lock for moments, and wait for nothing else while
// they hold the lock. (If a PE is killed while it holds the lock, waiting PEs wait until the
// launcher ends them.)
#pragma once

#include <atomic>
#include <cstdint>

namespace boxcar::detail {

class node_lock {
 public:
  void lock() {
    std::uint32_t expected = is_free;
    // Acquire: pairs with `unlock` by the previous holder.
    if (!word_.compare_exchange_strong(expected, is_held, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      wait();
    }
  }
  void unlock() {
    // Release: pairs with `lock` by the next holder.
    if (word_.exchange(is_free, std::memory_order_release) == is_waited_for) wake();
  }

 private:
  static constexpr std::uint32_t is_free = 0;
  static constexpr std::uint32_t is_held = 1;
  static constexpr std::uint32_t is_waited_for = 2;

  void wait();
  void wake();

  std::atomic<std::uint32_t> word_{is_free};
};

}  // namespace boxcar::detail
