// The packets of elastic conveyors; see elastic_core.hpp.
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
