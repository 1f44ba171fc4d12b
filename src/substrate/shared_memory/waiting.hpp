// The waiting policy of a PE: spin, then yield, then block. Each PE has one object for all its
// worlds, because only the PE as a whole knows whether there is anything to do.
//
// No wake-up is lost. The PE announces that it is about to sleep (`asleep`), polls everything once
// more, and only then blocks on its `bell`. A sender first stores the data (sequentially
// consistent), then reads `asleep`, and rings the bell if `asleep` is set. Either the sender sees
// `asleep`, or the last poll sees the data. (The polls are acquire loads, which could be done
// before the announcement: a fence stands between. AArch64, for one, uses the freedom.)
//
// Sessions record the polls of a PE: each session notes the round of its last poll, and a round
// begins with each announcement. A PE does not block before it has polled each session polled in
// the rounds since the last block, but not yet in the current round; if the program has turned away
// from the session, the PE does not wait for long. Memory polled by the program itself rings no
// bell: a PE whose program may look elsewhere in between blocks for a millisecond at most. In the
// end every PE wakes up by time, but not where Boxcar is tested (BOXCAR_WAIT_FOR_EVER in
// cmake/options.cmake), so that a missing wake-up is noticed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "substrate/liveness/process_watch.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/patience.hpp"
#include "substrate/stall/pause_reason.hpp"
#include "substrate/stall/stall_watch.hpp"

namespace boxcar::detail {

class progress;

// The parameters of the policy.
struct wait_config {
  int pes_on_machine = 0;  // of the program, with this PE; 0: the PEs of its job
  int pes_on_cores = 1;    // that may run on the same cores as this PE, with itself
  // Messages from another node ring no bell: the PE must poll for messages.
  bool has_network = false;
  // How long PEs may be unable to go on before a search for PEs that never will; 0: no search.
  std::chrono::nanoseconds stall_after{0};
  int pes_in_job = 0;         // 0: the PEs of the job_block
  rank_list ranks_in_job{0};  // of the PEs of the job_block; none: the same ranks
};

class waiting {
 public:
  waiting(job_block& job, int rank, const wait_config& around);

  // Called when the PE has found nothing to do; makes progress meanwhile. Returns true if the PE
  // has waited for long enough to look whether the other PEs are still there. Throws stall_error if
  // some PEs can certainly never go on.
  bool idle(const pause_reason& why);
  // Sets the number of PEs that may run on the same cores as this PE, with itself.
  void share_cores(int pes);
  // From now on, waits of this PE sometimes check whether the process of the other PE exists.
  void watch(int own_rank, const process_watch::member& other) {
    neighbor_.emplace(own_rank, other);
  }
  // Returns true if there are as many cores as PEs that may run on the cores.
  [[nodiscard]] bool has_core() const { return patience_.has_core(); }
  // Returns true if the next call of `idle` will do more than spin.
  [[nodiscard]] bool will_block_next() const { return idle_polls_ >= patience_.spins(); }
  void keep_going(progress& others) { others_ = &others; }
  [[nodiscard]] progress& others() const { return *others_; }
  void busy() {
    if (idle_polls_ != 0) reset_backoff();
  }
  [[nodiscard]] stall_watch& stall() { return stall_; }

  // Ends the wait of another PE; see above.
  static void wake(pe_block& other) {
    if (other.asleep.load(std::memory_order_seq_cst) != 0) ring(other);
  }

  // Throws world_error if a PE has declared failure.
  void check_failure();

 private:
  void reset_backoff();
  void note_spinning(trace_log& log, const pause_reason& why) const;
  void take_back_announcement();
  void announce();
  [[nodiscard]] bool may_block() const;
  [[nodiscard]] std::chrono::nanoseconds max_block(const pause_reason& why) const;
  static void ring(pe_block& other);

  job_block& job_;
  pe_block& me_;
  progress* others_;
  bool has_network_;
  patience patience_{false};
  // For waits that no bell ends: a PE that blocks would wake up by time only.
  patience patience_without_bell_{false};
  std::uint32_t idle_polls_ = 0;    // calls of `idle` since the last `busy`
  std::uint32_t announced_at_ = 0;  // `idle_polls_` when `asleep` was set, or 0
  std::uint32_t bell_seen_ = 0;
  std::uint32_t turns_ = 0;  // waits of background fibers
  std::uint64_t blocked_in_round_ = 0;
  stall_watch stall_;
  std::optional<process_watch> neighbor_;
  std::chrono::steady_clock::time_point left_idle_{};
};

}  // namespace boxcar::detail
