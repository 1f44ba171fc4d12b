// The header defines the packets of elastic conveyors; see elastic_core.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::detail {

inline std::uint32_t load_word32(const std::byte* at) {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline void store_word32(std::byte* at, std::uint32_t word) {
  std::memcpy(at, &word, sizeof word);
}

// Copies bytes that are mostly few: one or two words without a call.
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from,
                                              std::size_t bytes) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  if (bytes - word <= word) [[likely]] {  // the two words overlap if they are less
    std::uint64_t front;
    std::uint64_t back;
    std::memcpy(&front, from, word);
    std::memcpy(&back, from + bytes - word, word);
    std::memcpy(to, &front, word);
    std::memcpy(to + bytes - word, &back, word);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

constexpr std::uint32_t descriptor(std::size_t bytes, bool ticket) {
  return static_cast<std::uint32_t>(bytes) << 1 | (ticket ? 1u : 0u);
}
constexpr bool is_ticket(std::uint32_t d) {
  return (d & 1) != 0;
}
constexpr std::size_t bytes_of(std::uint32_t d) {
  return d >> 1;
}

constexpr std::size_t packet_bytes(std::size_t tag_bytes, std::size_t item_bytes) {
  return tag_bytes + sizeof(std::uint32_t) + (item_bytes + 3) / 4 * 4;
}

}  // namespace boxcar::detail
