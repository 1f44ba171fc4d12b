// The links between the nodes of a simulated network, and when they are free.
//
// What is sent takes the links of its path one after the other, cut through: its first byte goes on
// while the last one has not come. A link carries one buffer after the other, in the order in which
// they have left their nodes; there is no end to what may wait for it, and nothing is held up
// behind it on another link.
#pragma once

#include <cstddef>
#include <memory>

#include <boxcar/network.hpp>

#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

// When something passes a path.
struct passage {
  moment head = 0;  // its first byte is at the end of the path
  moment tail = 0;  // its last byte has left the last link that it had to wait for
};

class network_links {
 public:
  virtual ~network_links() = default;

  // Lets so many bytes pass from node to node; their first byte is at the begin of the path at
  // `now`.
  virtual passage pass(int from, int to, std::size_t bytes, moment now) = 0;
  // Those of one group; 0: there is only one.
  [[nodiscard]] virtual int nodes_per_group() const = 0;
};

// nullptr if the network has none. Throws argument_error if the topology cannot be, or has no place
// for so many nodes.
std::unique_ptr<network_links> make_network_links(const simulated_network& network, int nodes,
                                                  std::uint64_t seed);

}  // namespace boxcar::detail
