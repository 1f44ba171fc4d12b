// Reads and writes words of 64 bits at any address.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::detail {

// Bit numbers begin at the lowest bit of the first byte, so that compressed data mean the same on
// all PEs.
static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

inline constexpr std::size_t word_bytes = sizeof(std::uint64_t);

inline std::uint64_t load_word64(const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

inline void store_word64(std::byte* into, std::uint64_t word) {
  std::memcpy(into, &word, sizeof word);
}

// Returns a mask of the lowest `bits` bits, 0 to 63.
constexpr std::uint64_t low_bits(unsigned bits) {
  return (std::uint64_t{1} << bits) - 1;
}

}  // namespace boxcar::detail
