// Wide slots hold contributions to a collective much larger than a slot of the control block. The
// collective then takes few rounds instead of many, and each round waits for all PEs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

class wide_slots {
 public:
  // For smaller contributions, the sharing of memory takes longer than many rounds.
  static constexpr std::size_t worth_it = std::size_t{32} << 10;

  // Returns the bytes of a slot: the contribution, or less if the contribution is large.
  static std::size_t slot_bytes(std::size_t contribution, int pes) {
    constexpr std::size_t most_in_all = std::size_t{16} << 20;
    const std::size_t share = most_in_all / (2 * static_cast<std::size_t>(pes));
    return std::min(contribution, std::max(worth_it, share));
  }
  static std::size_t bytes(std::size_t slot_bytes, int pes) {
    return 2 * static_cast<std::size_t>(pes) * slot_bytes;
  }

  wide_slots(std::unique_ptr<shared_memory> memory, std::size_t slot_bytes)
      : memory_(std::move(memory)), slot_bytes_(slot_bytes) {}

  [[nodiscard]] std::size_t slot_bytes() const { return slot_bytes_; }
  // Returns a slot of a PE. Each PE has two slots, used in turn, as in a team_block.
  [[nodiscard]] std::byte* slot(int rank, std::uint32_t turn) const {
    return memory_->data() + (2 * static_cast<std::size_t>(rank) + (turn & 1)) * slot_bytes_;
  }

 private:
  std::unique_ptr<shared_memory> memory_;
  std::size_t slot_bytes_;
};

}  // namespace boxcar::detail
