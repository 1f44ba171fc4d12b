// How long a PE has been unable to go on, and what is done about it: after half of the time that
// is allowed it shows the others of its node what it waits for; after all of it, it looks whether
// they, and with them this PE, can ever go on.
//
// Only time counts in which the PE really polled: a job that is suspended, and goes on later, is
// not taken for one that hangs. And a PE that has not polled several times since the look before
// does not count as waiting.
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

  // `rank` and `pes` are those of the whole job; `slot` is the place of this PE in the block of its
  // node. `allowed`: 0 switches all of this off.
  stall_watch(job_block& job, int slot, int rank, int pes, std::chrono::nanoseconds allowed);

  // To be called again and again while this PE finds nothing to do, but not while it spins. Returns
  // what is wrong once it is certain that this or other PEs can never go on.
  std::optional<std::string> look(clock::time_point now, pe_watch& watch, const pause_reason& why);

  // To be called when the PE may have got on.
  void withdraw_if_moved(const pe_watch& watch) {
    if (is_shown_ && watch.moves() != moves_seen_) withdraw();
  }

  [[nodiscard]] bool is_on() const { return allowed_.count() != 0; }
  [[nodiscard]] std::chrono::nanoseconds allowed() const { return allowed_; }
  [[nodiscard]] int pes() const { return pes_; }
  // A PE that blocks for longer would not look often enough.
  [[nodiscard]] std::chrono::nanoseconds longest_block() const { return allowed_ / 64; }

  // What this PE shows, if it has waited for all of the time that is allowed.
  [[nodiscard]] const std::optional<pe_report>& overdue() const { return overdue_; }
  // How often it has polled in vain.
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
