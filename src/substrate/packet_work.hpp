// What a PE does with items, as far as a world needs to know whose time does not pass by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxcar::detail {

// What a PE has done with the packets of one buffer.
struct packet_work {
  enum class kind : std::uint8_t { pushed, pivoted, pulled };
  kind what = kind::pushed;
  std::size_t bytes = 0;         // of all packets
  std::size_t packet_bytes = 0;  // of one; 0: they differ
  std::size_t among_bytes = 0;   // what the buffers have room for that it writes to by turns
};

}  // namespace boxcar::detail
