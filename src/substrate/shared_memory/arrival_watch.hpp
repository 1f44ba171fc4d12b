// An arrival_watch finds out, from the slots of a team, whether all PEs have come to a round of the
// team's collectives.
#pragma once

#include <atomic>
#include <cstdint>

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::detail {

class arrival_watch {
 public:
  // The watch of a PE that has called a collective with the fingerprint `print`.
  arrival_watch(team_block& team, int pes, std::uint32_t turn, std::uint64_t print)
      : team_(team), pes_(pes), turn_(turn), same_(print | collective_slot::rounds(turn + 1)) {}

  [[nodiscard]] std::uint32_t turn() const { return turn_; }
  // Returns the mark in the slot of a PE that has come and called the same collective.
  [[nodiscard]] std::uint64_t same() const { return same_; }

  // Returns true if all PEs have come. (A slot serves every second round, and no PE is two rounds
  // ahead.)
  [[nodiscard]] bool is_complete() {
    for (; next_ < pes_; ++next_) {
      const std::uint64_t its = team_.slot(next_, turn_).arrived.load(std::memory_order_seq_cst);
      if (its == same_) continue;
      if (collective_slot::rounds(its) != collective_slot::rounds(same_)) return false;
      differs_ = true;
    }
    return true;
  }
  // Returns true if some PEs have come with a different call.
  [[nodiscard]] bool differs() const { return differs_; }

 private:
  team_block& team_;
  const int pes_;
  const std::uint32_t turn_;
  const std::uint64_t same_;
  int next_ = 0;  // all PEs before next_ have come
  bool differs_ = false;
};

}  // namespace boxcar::detail
