// The stacks of all fibers, in one mapping: a process may have about 65,000 mappings, and each
// stack with a guard page takes two. Below each stack lies a zone; only an overflow writes to the
// zone.
#pragma once

#include <cstddef>

#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::detail {

class fiber_stacks {
 public:
  static constexpr std::size_t min_bytes = std::size_t{16} << 10;
  static constexpr std::size_t page_bytes = 4096;

  // Throws argument_error if stacks of `bytes` bytes cannot work, system_error if there is no
  // memory for all stacks.
  fiber_stacks(int stacks, std::size_t bytes);

  // Returns the start of the memory for the fiber. Stacks grow from their top, the end, downwards.
  [[nodiscard]] std::byte* bottom(int stack) const { return begin(stack) + zone_bytes; }
  [[nodiscard]] std::size_t usable_bytes() const { return bytes_ - zone_bytes; }
  // Returns the address of the bytes that `require_intact` will check.
  [[nodiscard]] const std::byte* canary(int stack) const { return bottom(stack) - looked_at; }
  // Ends the program if the stack has overflowed; `at` is an address of its innermost function.
  void require_intact(int stack, const std::byte* at) const;

 private:
  static constexpr std::size_t zone_bytes = 512;
  static constexpr std::size_t looked_at = 64;

  // Returns the start of the zone, which must stay untouched, and lies in the same page as the top
  // of the stack before.
  [[nodiscard]] std::byte* begin(int stack) const {
    return memory_.data() + page_bytes - zone_bytes + static_cast<std::size_t>(stack) * bytes_;
  }

  std::size_t bytes_;
  mapping memory_;
};

}  // namespace boxcar::detail
