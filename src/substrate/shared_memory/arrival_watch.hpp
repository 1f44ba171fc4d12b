// Whether all PEs of a team have come to a round of its collectives, as their slots show.
#pragma once

#include <atomic>
#include <cstdint>

#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::detail {

class arrival_watch {
 public:
  // Of a PE that has called what has this fingerprint.
  arrival_watch(team_block& team, int pes, std::uint32_t turn, std::uint64_t print)
      : team_(team), pes_(pes), turn_(turn), same_(print | collective_slot::rounds(turn + 1)) {}

  [[nodiscard]] std::uint32_t turn() const { return turn_; }
  // What a slot shows whose PE has come and called the same.
  [[nodiscard]] std::uint64_t same() const { return same_; }

  // All have come. (A slot is used for every second round, and nobody is two ahead.)
  [[nodiscard]] bool is_complete() {
    for (; next_ < pes_; ++next_) {
      const std::uint64_t its = team_.slot(next_, turn_).arrived.load(std::memory_order_seq_cst);
      if (its == same_) continue;
      if (collective_slot::rounds(its) != collective_slot::rounds(same_)) return false;
      differs_ = true;
    }
    return true;
  }
  // Some that have come have called something else.
  [[nodiscard]] bool differs() const { return differs_; }

 private:
  team_block& team_;
  const int pes_;
  const std::uint32_t turn_;
  const std::uint64_t same_;
  int next_ = 0;  // those before it have come
  bool differs_ = false;
};

}  // namespace boxcar::detail
