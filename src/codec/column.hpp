// A column: the words at one place in all units of a buffer (see standard_codec.cpp). Only some of
// the bits of each are sent.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/words.hpp"

namespace boxcar::detail {

// Every byte of which some bit is set, whole.
constexpr std::uint64_t whole_bytes(std::uint64_t mask) {
  mask |= mask >> 4 & 0x0f0f0f0f0f0f0f0f;
  mask |= mask >> 2 & 0x0303030303030303;
  mask |= mask >> 1;
  return (mask & 0x0101010101010101) * 0xff;
}

// The bits of each word that are sent, given those that vary. Whole bytes are faster to deal with:
// they are sent if that costs at most an eighth more. So if bits are sent, they are at most 56.
constexpr std::uint64_t bits_to_send(std::uint64_t varying) {
  const std::uint64_t whole = whole_bytes(varying);
  return 8 * std::popcount(whole) <= 9 * std::popcount(varying) ? whole : varying;
}

struct column {
  std::size_t words;
  std::size_t stride;  // bytes from one word to the next
  std::uint64_t sent;  // the bits, as bits_to_send returns them

  // What is sent: all those bits, and up to 7 more to a whole byte.
  [[nodiscard]] constexpr std::size_t bytes() const {
    return (words * static_cast<std::size_t>(std::popcount(sent)) + 7) / 8;
  }
};

// Writes the bits of the column that begins at `first`, and returns the end. May write up to 8
// bytes beyond it.
std::byte* write_column(const column& c, const std::byte* first, std::byte* into);

// The reverse: writes the words. Their bits that are not sent are those of `constant`, which may
// also have some of the others, if these are the same in all words. May read up to 8 bytes beyond
// the end, which it returns.
const std::byte* read_column(const column& c, const std::byte* from, std::uint64_t constant,
                             std::byte* first);

}  // namespace boxcar::detail
