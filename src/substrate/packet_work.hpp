// The work of a PE on items, reported to worlds whose time does not pass by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxcar::detail {

// The work of a PE on the packets of one buffer.
struct packet_work {
  enum class kind : std::uint8_t { pushed, pivoted, pulled };
  kind what = kind::pushed;
  std::size_t bytes = 0;         // of all packets
  std::size_t packet_bytes = 0;  // of each packet; 0: sizes differ
  std::size_t among_bytes = 0;   // the room of all buffers that the PE writes to by turns
};

}  // namespace boxcar::detail
