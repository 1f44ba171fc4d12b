// The cable between the nodes of two_nodes.sh.
#pragma once

#include <cstdint>

namespace boxcar::test {

// Bytes sent and received by the node so far, headers and all, as the kernel counts them.
struct cable_count {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

// Throws std::runtime_error if the cable does not exist.
cable_count read_cable();

}  // namespace boxcar::test
