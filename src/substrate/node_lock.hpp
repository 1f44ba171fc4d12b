// A lock in memory that the PEs of a node share, for what they do to one another's data by several
// stores. It is held for moments, by PEs and their helpers, and nobody waits for anything else
// while holding it. (Those that wait for a PE which is killed with one wait until its launcher ends
// them.)
#pragma once

#include <atomic>
#include <cstdint>

namespace boxcar::detail {

class node_lock {
 public:
  void lock() {
    std::uint32_t expected = is_free;
    // Acquire: pairs with `unlock` of whoever had it before.
    if (!word_.compare_exchange_strong(expected, is_held, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      wait();
    }
  }
  void unlock() {
    // Release: pairs with `lock` of whoever has it next.
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
