// The packets in a buffer are a tag of 0, 1, 2 or 4 bytes, and then the item.
//
// Tags are read and written four bytes at a time whatever their length: the item overwrites surplus
// bytes of a store, a mask removes surplus bytes of a load. Buffers have room for the surplus.
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
