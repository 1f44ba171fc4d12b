// The one waiting policy: spin, then yield, then block. One object per PE, shared by all its
// worlds, because what matters is whether the PE as a whole has anything to do.
//
// Blocking without losing a wake-up: the PE announces that it is about to sleep (`asleep`), lets
// everything be polled once more that it polls, and only then blocks on its `bell`. Whoever has
// something for it first stores that (sequentially consistent), then reads `asleep`, and rings if
// it is set. Either the sender sees `asleep`, or the last poll sees what was stored. (The polls
// load with acquire, which could be taken before the announcement: a fence stands between. AArch64,
// for one, makes use of that.)
//
// What a PE polls is known by its sessions: each notes the round in which it was polled last, and a
// round begins with each announcement. A session that was polled in the rounds since the PE blocked
// last, but not yet in this one, is waited for; if the program has turned away from it, not for
// long. What the program itself looks at rings no bell: so a PE whose program may look elsewhere in
// between blocks for a millisecond at most. So does everyone in the end, but not where Boxcar is
// tested (BOXCAR_WAIT_FOR_EVER in cmake/options.cmake), so that a missing wake-up is noticed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "substrate/rank_list.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/process_watch.hpp"
#include "substrate/stall/pause_reason.hpp"
#include "substrate/stall/stall_watch.hpp"

namespace boxcar::detail {

class progress;

// What the policy depends on.
struct surroundings {
  int pes_on_machine = 0;  // of the program, with this one; 0: those of its job
  int pes_on_cores = 1;    // that may run on the same cores as this one, with itself
  // What comes from another node rings no bell: the PE must look for it.
  bool has_network = false;
  // How long PEs may be unable to go on before they look whether they ever will; 0: they never do.
  std::chrono::nanoseconds stall_after{0};
  int pes_in_job = 0;         // 0: those of the job_block
  rank_list ranks_in_job{0};  // of those of the job_block; none: the same as there
};

class waiting {
 public:
  waiting(job_block& job, int rank, const surroundings& around);

  // The PE found nothing to do; meanwhile it keeps going what others may wait for. Returns true if
  // it has waited for long enough that it is worth looking whether the others are still there.
  // Throws stall_error if it is certain that some PEs can never go on.
  bool idle(const pause_reason& why);
  // It has turned out how many PEs may run on the same cores as this one, with itself.
  void share_cores(int pes);
  // From now on this PE, when it waits, looks now and then whether that process is there.
  void watch(int own_rank, const process_watch::member& other) {
    neighbor_.emplace(own_rank, other);
  }
  // There are as many cores as PEs that may run on them.
  [[nodiscard]] bool has_core() const { return has_core_; }
  // The next call of `idle` will do more than spin.
  [[nodiscard]] bool is_about_to_block() const { return fruitless_ >= spins_; }
  void keep_going(progress& others) { others_ = &others; }
  [[nodiscard]] progress& others() const { return *others_; }
  void busy() {
    if (fruitless_ != 0) stir();
  }
  [[nodiscard]] stall_watch& stall() { return stall_; }

  // Ends the wait of another PE; see above.
  static void wake(pe_block& other) {
    if (other.asleep.load(std::memory_order_seq_cst) != 0) ring(other);
  }

  // Throws world_error if a PE has declared failure.
  void check_failure();

 private:
  void stir();
  void note_spinning(trace_log& log, const pause_reason& why) const;
  void take_back_announcement();
  void announce();
  [[nodiscard]] bool may_block() const;
  [[nodiscard]] std::chrono::nanoseconds longest_block(const pause_reason& why) const;
  static void ring(pe_block& other);

  job_block& job_;
  pe_block& me_;
  progress* others_;
  bool has_network_;
  bool has_core_ = false;           // of its own
  std::uint32_t spins_ = 0;         // fruitless calls before it yields
  std::uint32_t fruitless_ = 0;     // calls of `idle` since the last `busy`
  std::uint32_t announced_at_ = 0;  // `fruitless_` when `asleep` was set, or 0
  std::uint32_t bell_seen_ = 0;
  std::uint32_t turns_ = 0;  // of what goes on beside the program
  std::uint64_t blocked_in_round_ = 0;
  stall_watch stall_;
  std::optional<process_watch> neighbor_;
  std::chrono::steady_clock::time_point left_idle_{};
};

}  // namespace boxcar::detail
