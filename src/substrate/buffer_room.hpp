// How much memory a buffer of a link takes. Porters allocate buffers by these functions, and the
// models that choose a route and a size of buffers forecast memory by them.
#pragma once

#include <cstddef>

#include "substrate/links.hpp"

namespace boxcar::detail {

// Tags are at most this long, and are read and written by so many bytes even if shorter.
inline constexpr std::size_t tag_room = 4;

// Returns how much memory a buffer takes that holds `packet_bytes` of packets. One packet of an
// item as large as the buffer has its tag beside it.
constexpr std::size_t buffer_room(std::size_t packet_bytes) {
  const std::size_t needed = packet_bytes + 2 * tag_room;
  return (needed + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

// No object that compresses the buffers of one hop is larger (porter/compression.hpp).
inline constexpr std::size_t max_compression_object_bytes = 232;

// Returns how much memory compression takes on one hop at most, beside its codec_links, with the
// standard codec and buffers of `room` bytes: what becomes of the packets to be sent, and the
// packets of an arrival, with some room behind each.
constexpr std::size_t compression_room(std::size_t room) {
  return max_compression_object_bytes + 2 * (room + buffer_alignment);
}

}  // namespace boxcar::detail
