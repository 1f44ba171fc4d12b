// The layout of a PE's block in the memory of its node for the incoming links: the number of links,
// the senders, a signal for each buffer, and the buffers. A sender finds its link in the list of
// senders.
#pragma once

#include <cstddef>
#include <cstdint>

#include "substrate/node_memory.hpp"

namespace boxcar::detail {

struct link_block {
  std::size_t links;
  std::size_t depth;
  std::size_t buffer_bytes;

  [[nodiscard]] std::size_t senders_at() const { return sizeof(std::uint64_t); }
  [[nodiscard]] std::size_t signals_at() const {
    return node_memory::round_up(senders_at() + links * sizeof(int));
  }
  [[nodiscard]] std::size_t buffers_at() const {
    return signals_at() + node_memory::round_up(links * depth * sizeof(std::uint64_t));
  }
  [[nodiscard]] std::size_t bytes() const { return buffers_at() + links * depth * buffer_bytes; }
};

// Returns a signal that hands a buffer to the receiver: the number of bytes, and whether the buffer
// is the last of the session. Never 0: a signal of 0 means that the buffer belongs to the sender.
constexpr std::uint64_t signal_of(std::size_t bytes, bool last) {
  return std::uint64_t{bytes} << 2 | std::uint64_t{last} << 1 | 1;
}

}  // namespace boxcar::detail
