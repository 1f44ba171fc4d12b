#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::detail {

// The word of an item that is for all PEs.
inline constexpr std::uint32_t to_all = 0xffffffff;

// An arrival of a stream while it is worked off.
struct arrived_items {
  const std::byte* items = nullptr;      // the next one; it lies as its alignment wants it
  const std::byte* words_end = nullptr;  // behind the words of the next one
  std::size_t left = 0;                  // items that remain
  int stage = 0;                         // over which it came

  // A word of the next item; its destination, if that travels along, is the first.
  [[nodiscard]] std::uint32_t word(std::size_t which = 0) const {
    std::uint32_t w;
    std::memcpy(&w, words_end - (which + 1) * sizeof w, sizeof w);
    return w;
  }
};

}  // namespace boxcar::detail
