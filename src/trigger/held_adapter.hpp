// An adapter of the node while somebody works on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "trigger/adapter_state.hpp"

namespace boxcar::detail {

// An adapter of the node, locked. What has become of it meanwhile is seen to at the end: somebody
// carries out what fired, and the PE is woken if it waits for that.
class adapter_state::held {
 public:
  // What is longer is worth the time that it takes until another PE has seen it.
  static constexpr std::uint64_t long_work = 16 * 1024;

  held(adapter_state& all, int place, work_list& work) : held(all, place, &work) {}
  // This PE's own, for what fires nothing.
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
  // What has fired first takes long, and the PE itself only waits: it has the time.
  [[nodiscard]] bool is_for_waiting_pe() const {
    return place_ != all_.my_place_ && block_.head().awaited != no_record &&
           block_.next_bytes() >= long_work && all_.world.has_core();
  }
  void unlock() {
    adapter_head& head = block_.head();
    // Without a list of work what was left to the PE stays so.
    if (work_ != nullptr && !head.fired_here.empty() && !head.is_drained) {
      if (is_for_waiting_pe()) {
        head.is_left_to_pe.store(true, std::memory_order_relaxed);
        head.rings = true;
      } else {
        head.is_drained = true;
        add_to_work();
      }
    }
    const bool rings = std::exchange(head.rings, false);
    is_locked_ = false;
    head.guard.unlock();
    if (!rings) return;
    // What was counted is to be seen by a PE that is about to sleep, or the bell is to wake it.
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
