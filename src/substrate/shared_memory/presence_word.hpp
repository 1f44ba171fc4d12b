// In which world of its job a PE is, or was last. A program that calls `run` again makes another
// one in the same memory, to which its PEs come one after the other.
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

  // What a PE did before it left is visible to who sees that.
  [[nodiscard]] seen look() const {
    const std::uint32_t word = word_.load(std::memory_order_acquire);
    return {word >> 2, static_cast<attendance>(word & 3)};
  }
  // The number of the next world, which the PE is in now.
  std::uint32_t attach() {
    const std::uint32_t world = look().world + 1;
    store(world, attendance::attached);
    return world;
  }
  // Sequentially consistent because of the wake-up that follows.
  void depart(std::uint32_t world) { store(world, attendance::departed); }

 private:
  void store(std::uint32_t world, attendance there) {
    word_.store(world << 2 | static_cast<std::uint32_t>(there), std::memory_order_seq_cst);
  }

  std::atomic<std::uint32_t> word_;
};

}  // namespace boxcar::detail
