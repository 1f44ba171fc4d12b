// A column: the words at the same position in all units of a buffer (see standard_codec.cpp). The
// codec sends only some bits of each word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/words.hpp"

namespace boxcar::detail {

// Returns a mask with all bits of each byte in which `mask` has a bit.
constexpr std::uint64_t whole_bytes(std::uint64_t mask) {
  mask |= mask >> 4 & 0x0f0f0f0f0f0f0f0f;
  mask |= mask >> 2 & 0x0303030303030303;
  mask |= mask >> 1;
  return (mask & 0x0101010101010101) * 0xff;
}

// Returns the bits of each word to send, given the varying bits. Whole bytes are faster, and are
// sent if they cost at most an eighth more. Otherwise at most 56 bits are sent.
constexpr std::uint64_t bits_to_send(std::uint64_t varying) {
  const std::uint64_t whole = whole_bytes(varying);
  return 8 * std::popcount(whole) <= 9 * std::popcount(varying) ? whole : varying;
}

struct column {
  std::size_t words;
  std::size_t stride;  // bytes from one word to the next
  std::uint64_t sent;  // the bits, as returned by bits_to_send

  // Returns the size of the compressed column: all sent bits, rounded up to a whole byte.
  [[nodiscard]] constexpr std::size_t bytes() const {
    return (words * static_cast<std::size_t>(std::popcount(sent)) + 7) / 8;
  }
};

// Writes the sent bits of the column that begins at `first`, and returns the end. May write up to 8
// bytes beyond the end.
std::byte* write_column(const column& c, const std::byte* first, std::byte* into);

// Restores the words of a column. The bits that were not sent come from `constant`; `constant` may
// contain sent bits that are equal in all words. Returns the end; may read up to 8 bytes beyond the
// end.
const std::byte* read_column(const column& c, const std::byte* from, std::uint64_t constant,
                             std::byte* first);

}  // namespace boxcar::detail
