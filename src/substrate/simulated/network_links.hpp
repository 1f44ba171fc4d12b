// The links between the nodes of a simulated network, and when they are free.
//
// What is sent takes the links of its path one after the other, cut through: its first byte goes on
// while the last one has not come. A link carries one buffer after the other, in the order in which
// their first bytes come to it; there is no end to what may wait for it, and nothing is held up
// behind that on other links. What goes from one node to another keeps its order.
#pragma once

#include <cstddef>
#include <memory>

#include <boxcar/network.hpp>

#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

// Something on its path from node to node.
struct passage {
  int from = 0;
  int to = 0;
  std::size_t bytes = 0;
  moment head = 0;  // its first byte is where the next link of the path begins
  moment tail = 0;  // its last byte will be there
  // Which link that is, as the topology counts them; by way of which group; at which node.
  int step = 0;
  int by_way_of = 0;
  int at = 0;
};

class network_links {
 public:
  virtual ~network_links() = default;

  // Lets something take the next link of its path, to be called in the order of `head`; false: it
  // is at the end of it.
  virtual bool move_on(passage& p) = 0;
  // The nodes of one group; 0: there is only one.
  [[nodiscard]] virtual int nodes_per_group() const = 0;
};

// nullptr if the network has none. Throws argument_error if the topology cannot be, or has no place
// for so many nodes.
std::unique_ptr<network_links> make_network_links(const simulated_network& network, int nodes,
                                                  std::uint64_t seed);

}  // namespace boxcar::detail
