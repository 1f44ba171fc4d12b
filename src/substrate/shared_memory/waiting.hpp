// The one waiting policy: spin, then yield, then block. One object per PE, shared by all its
// worlds, because what matters is whether the PE as a whole has anything to do.
//
// Blocking without losing a wake-up: the PE announces that it is about to sleep (`asleep`), lets
// its caller poll once more, and only then blocks on its `bell`. Whoever has something for it
// first stores that (sequentially consistent), then reads `asleep`, and rings if it is set. Either
// the sender sees `asleep`, or the last poll sees what was stored. (The polls load with acquire,
// which could be taken before the announcement: a fence stands between. AArch64, for one, makes use
// of that.) A block ends after a millisecond in any case, so that a loop over very many conveyors,
// whose last round of polls is cut short, loses that much and no more.
#pragma once

#include <chrono>
#include <cstdint>

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::detail {

class progress;

// What the policy depends on.
struct surroundings {
  int pes_on_cores = 1;  // that may run on the same cores as this one, with itself
  // Nothing may be waiting for longer than this that does not ring: something from another node.
  std::chrono::nanoseconds longest_block = std::chrono::milliseconds(1);
};

class waiting {
 public:
  waiting(job_block& job, int rank, const surroundings& around);

  // The PE found nothing to do; meanwhile it keeps going what others may wait for. Returns true if
  // it has waited for long enough that it is worth looking whether the others are still there.
  bool idle();
  // There are as many cores as PEs that may run on them.
  [[nodiscard]] bool has_core() const { return has_core_; }
  void keep_going(progress& others) { others_ = &others; }
  [[nodiscard]] progress& others() const { return *others_; }
  void busy() {
    if (fruitless_ != 0) stir();
  }

  // Waits until `generation` is no longer `seen`, or for some milliseconds.
  void wait_for_change(const std::atomic<std::uint32_t>& generation, std::uint32_t seen,
                       std::atomic<std::uint32_t>& sleepers) const;

  // Ends the wait of another PE; see above.
  static void wake(pe_block& other) {
    if (other.asleep.load(std::memory_order_seq_cst) != 0) ring(other);
  }

  // Throws world_error if a PE has declared failure.
  void check_failure();

 private:
  void stir();
  static void ring(pe_block& other);

  job_block& job_;
  pe_block& me_;
  progress* others_;
  std::chrono::nanoseconds longest_block_;
  bool has_core_;                   // of its own
  std::uint32_t spins_;             // fruitless calls before it yields
  std::uint32_t fruitless_ = 0;     // calls of `idle` since the last `busy`
  std::uint32_t announced_at_ = 0;  // `fruitless_` when `asleep` was set, or 0
  std::uint32_t bell_seen_ = 0;
  std::chrono::steady_clock::time_point left_idle_{};
};

}  // namespace boxcar::detail
