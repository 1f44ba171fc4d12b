// A lock guard for an adapter of the node.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "trigger/adapter_state.hpp"

namespace boxcar::detail {

// Locks an adapter of the node. The destructor unlocks and handles the consequences: fired commands
// are executed or left to the PE, and the PE is woken if it waits for a changed counter.
class adapter_state::held {
 public:
  // Longer copies are worth the delay until another PE notices them.
  static constexpr std::uint64_t long_work = 16 * 1024;

  held(adapter_state& all, int place, work_list& work) : held(all, place, &work) {}
  // Locks the local PE's adapter, for operations that fire nothing.
  explicit held(adapter_state& all) : held(all, all.my_place_, nullptr) {}
  held(const held&) = delete;
  held& operator=(const held&) = delete;
  ~held() {
    if (is_locked_) unlock();
  }

  const adapter_block* operator->() const { return &block_; }
  const adapter_block& operator*() const { return block_; }

  void lock() {
    block_.head().guard.lock();
    is_locked_ = true;
  }
  // The next fired command is a long copy, and the PE itself is idle: the PE has time for the copy.
  [[nodiscard]] bool is_for_waiting_pe() const {
    return place_ != all_.my_place_ && block_.head().awaited != no_record &&
           block_.next_bytes() >= long_work && all_.world.has_core();
  }
  void unlock() {
    adapter_head& head = block_.head();
    // Without a work list, commands that were left to the PE remain so.
    if (work_ != nullptr && !head.fired_here.empty() && !head.is_drained) {
      if (is_for_waiting_pe()) {
        head.is_left_to_pe.store(true, std::memory_order_relaxed);
        head.rings = true;
      } else {
        head.is_drained = true;
        add_to_work();
      }
    }
    if (std::exchange(head.becomes_ready, false)) {
      ready_list(all_.world.first_ready(all_.pe_at(place_))).add(all_.number_, head.ready);
    }
    const bool rings = std::exchange(head.rings, false);
    is_locked_ = false;
    head.guard.unlock();
    if (!rings) return;
    // A PE that is about to sleep sees the new counts, or the wakeup reaches the PE.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    all_.world.wake(all_.pe_at(place_));
  }

 private:
  held(adapter_state& all, int place, work_list* work)
      : all_(all), place_(place), work_(work), block_(all.block(place)) {
    lock();
  }

  void add_to_work() {
    const auto place = static_cast<std::uint32_t>(place_);
    block_.head().next_to_drain = no_record;
    if (work_->first == no_record) {
      work_->first = place;
    } else {
      all_.block(static_cast<int>(work_->last)).head().next_to_drain = place;
    }
    work_->last = place;
  }

  adapter_state& all_;
  int place_;
  work_list* work_;
  adapter_block& block_;
  bool is_locked_ = false;
};

}  // namespace boxcar::detail
