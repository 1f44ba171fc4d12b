// The cable between the nodes that two_nodes.sh makes.
#pragma once

#include <cstdint>

namespace boxcar::test {

// Bytes that this node has sent and received so far, headers and all, as the kernel counts them.
struct cable_count {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

// Throws std::runtime_error if there is no such cable.
cable_count read_cable();

}  // namespace boxcar::test
