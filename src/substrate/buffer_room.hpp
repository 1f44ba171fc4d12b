// The memory size of a buffer of a link. Porters allocate buffers by the functions below, and the
// models for a route and a size of buffers forecast memory by them.
#pragma once

#include <cstddef>

#include "substrate/links.hpp"

namespace boxcar::detail {

// A tag has at most tag_room bytes. Shorter tags are read and written as tag_room bytes, too.
inline constexpr std::size_t tag_room = 4;

// Returns the memory size of a buffer for `packet_bytes` of packets. A packet with an item as large
// as the buffer has its tag beside the item.
constexpr std::size_t buffer_room(std::size_t packet_bytes) {
  const std::size_t needed = packet_bytes + 2 * tag_room;
  return (needed + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

// The maximum size of an object that compresses the buffers of one hop (porter/compression.hpp).
inline constexpr std::size_t max_compression_object_bytes = 232;

// Returns the maximum memory for compression on one hop, beside its codec_links, with the standard
// codec and buffers of `room` bytes: the compressed packets to be sent, and the packets of an
// arrival, with some room behind each.
constexpr std::size_t compression_room(std::size_t room) {
  return max_compression_object_bytes + 2 * (room + buffer_alignment);
}

}  // namespace boxcar::detail
