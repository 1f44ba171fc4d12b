// A stall_watch measures how long a PE has been unable to go on. After half of the allowed time,
// the PE shows the other PEs of its node the reason for the wait. After all of the time, the PE
// looks whether the waiting PEs, itself included, can ever go on.
//
// Only time with polls counts: a suspended job that goes on later is not taken for a hanging job. A
// PE without several polls since the last look does not count as waiting.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "substrate/shared_memory/control_block.hpp"
#include "substrate/stall/deadlock.hpp"
#include "substrate/stall/pe_watch.hpp"

namespace boxcar::detail {

class stall_watch {
 public:
  using clock = std::chrono::steady_clock;

  // `rank` and `pes` are numbers of the whole job; `slot` is the index of this PE in the block of
  // its node. An `allowed` time of 0 switches the stall_watch off.
  stall_watch(job_block& job, int slot, int rank, int pes, std::chrono::nanoseconds allowed);

  // Called again and again while this PE finds nothing to do, but not while the PE spins. Returns
  // an error text once it is certain that this PE or other PEs can never go on.
  std::optional<std::string> look(clock::time_point now, pe_watch& watch, const pause_reason& why);

  // Called when the PE may have got on.
  void withdraw_if_moved(const pe_watch& watch) {
    if (is_shown_ && watch.moves() != moves_seen_) withdraw();
  }

  [[nodiscard]] bool is_on() const { return allowed_.count() != 0; }
  [[nodiscard]] std::chrono::nanoseconds allowed() const { return allowed_; }
  [[nodiscard]] int pes() const { return pes_; }
  // Returns how long a PE may block: a PE that blocks for longer would not look often enough.
  [[nodiscard]] std::chrono::nanoseconds max_block() const { return allowed_ / 64; }

  // Returns the report of this PE, if the PE has waited for all of the allowed time.
  [[nodiscard]] const std::optional<pe_report>& overdue() const { return overdue_; }
  // Returns how often the PE has polled in vain.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

 private:
  void begin_again(clock::time_point now, const pe_watch& watch);
  void note_place(const pause_reason& why);
  pe_report report(pe_watch& watch, const pause_reason& why) const;
  void withdraw();
  std::optional<std::string> look_around();

  struct looked_at {
    std::uint64_t rounds = 0;
    std::uint64_t moves = 0;
  };

  job_block& job_;
  int slot_;
  int rank_;
  int pes_;
  std::chrono::nanoseconds allowed_;
  std::uint64_t moves_seen_ = 0;
  std::uint64_t rounds_ = 0;
  std::chrono::nanoseconds blocked_{0};
  clock::time_point last_{};
  clock::time_point next_look_{};
  std::uint64_t next_look_round_ = 0;
  std::optional<pause_reason> place_;
  bool waits_in_several_ = false;
  bool is_shown_ = false;
  std::optional<pe_report> overdue_;
  std::vector<looked_at> before_;  // of the PEs of the node, at the last look
  finding found_before_;
};

}  // namespace boxcar::detail
