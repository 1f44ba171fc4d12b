// The expected memory of a conveyor, by the formula: links times buffers times their size, and a
// little with each link and each buffer (docs/memory.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxcar::test {

// A buffer begins at a cache line, and ends with room for the overread of a tag.
constexpr std::size_t held_for_buffer(std::size_t buffer_bytes) {
  return (buffer_bytes + 8 + 63) / 64 * 64;
}

// The links of one PE within its node, and to other nodes.
struct link_counts {
  std::size_t local = 0;
  std::size_t remote = 0;
};

constexpr std::int64_t most_memory(link_counts links, std::size_t buffers_per_link,
                                   std::size_t buffer_bytes) {
  constexpr std::size_t with_link = 200;
  constexpr std::size_t with_buffer = 56;
  constexpr std::size_t with_conveyor = 4096;
  // A packet to another node is written to a send buffer and then into a buffer of the receiver.
  const std::size_t buffers =
      links.local * buffers_per_link + links.remote * (buffers_per_link + 1);
  return static_cast<std::int64_t>(buffers * (held_for_buffer(buffer_bytes) + with_buffer) +
                                   (links.local + links.remote) * with_link + with_conveyor);
}

}  // namespace boxcar::test
