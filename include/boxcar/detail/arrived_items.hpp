// Arrived items are the content of a buffer of a stream while the PE handles the items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::detail {

// The word of an item for all PEs.
inline constexpr std::uint32_t to_all = 0xffffffff;

// An arrived buffer of a stream while the PE handles its items.
struct arrived_items {
  const std::byte* items = nullptr;      // the next item, aligned
  const std::byte* words_end = nullptr;  // the end of the next item's words
  std::size_t left = 0;                  // items that remain
  int stage = 0;                         // the stage that the buffer came over

  // Returns a word of the next item; the destination, if part of the packet, is the first word.
  [[nodiscard]] std::uint32_t word(std::size_t which = 0) const {
    std::uint32_t w;
    std::memcpy(&w, words_end - (which + 1) * sizeof w, sizeof w);
    return w;
  }
};

}  // namespace boxcar::detail
