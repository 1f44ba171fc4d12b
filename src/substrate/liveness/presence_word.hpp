// A presence_word holds the current or last world of a PE in its job. A program that calls `run`
// again makes another world in the same memory, and the PEs come to the new world one after the
// other.
#pragma once

#include <atomic>
#include <cstdint>

namespace boxcar::detail {

enum class attendance : std::uint32_t { absent = 0, attached = 1, departed = 2 };

class presence_word {
 public:
  struct seen {
    std::uint32_t world = 0;  // from 1 on
    attendance there = attendance::absent;

    [[nodiscard]] bool has_left(std::uint32_t which) const {
      return world > which || (world == which && there == attendance::departed);
    }
  };

  // Returns the presence. The actions of a PE before its departure are visible to a caller that
  // sees the departure.
  [[nodiscard]] seen look() const {
    const std::uint32_t word = word_.load(std::memory_order_acquire);
    return {word >> 2, static_cast<attendance>(word & 3)};
  }
  // Enters the next world and returns its number.
  std::uint32_t attach() {
    const std::uint32_t world = look().world + 1;
    store(world, attendance::attached);
    return world;
  }
  // The store is sequentially consistent because of the following wake-up.
  void depart(std::uint32_t world) { store(world, attendance::departed); }

 private:
  void store(std::uint32_t world, attendance there) {
    word_.store(world << 2 | static_cast<std::uint32_t>(there), std::memory_order_seq_cst);
  }

  std::atomic<std::uint32_t> word_;
};

}  // namespace boxcar::detail
