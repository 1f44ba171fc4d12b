// Packets as they lie in buffers: a tag of 0, 1, 2 or 4 bytes, then the item.
//
// Tags are read and written four bytes at a time whatever their length: what is written too much is
// overwritten by the item, what is read too much is masked off. Buffers have room for that.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace boxcar::detail {

static_assert(std::endian::native == std::endian::little, "tags are cut off at their high end");

inline std::uint32_t load_tag(const std::byte* packet, std::uint32_t mask) {
  std::uint32_t tag;
  std::memcpy(&tag, packet, sizeof tag);
  return tag & mask;
}

inline void store_tag(std::byte* packet, std::uint32_t tag) {
  std::memcpy(packet, &tag, sizeof tag);
}

constexpr std::uint32_t tag_mask(int tag_bytes) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << (8 * tag_bytes)) - 1);
}

}  // namespace boxcar::detail
