// What a PE has in the memory of its node for its incoming links: how many there are, who sends on
// them, a signal for each buffer, and the buffers. Who sends on one finds its place in the list.
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

// What a signal says of its buffer: how many bytes it holds, and whether no other follows in this
// session. Never 0, which says that it is the sender's.
constexpr std::uint64_t signal_of(std::size_t bytes, bool last) {
  return std::uint64_t{bytes} << 2 | std::uint64_t{last} << 1 | 1;
}

}  // namespace boxcar::detail
