// The links between the nodes of a simulated network, and the times when links are free.
//
// A passage takes the links of its path one after the other, cut through: the first byte goes on
// while the last byte has not come. A link carries one buffer after the other, in the order in
// which their first bytes come. The queue of a link has no limit, and a waiting buffer holds up
// nothing on other links. Passages from one node to another keep their order.
#pragma once

#include <cstddef>
#include <memory>

#include <boxcar/network.hpp>

#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

// A passage is a buffer or message on its path from node to node.
struct passage {
  int from = 0;
  int to = 0;
  std::size_t bytes = 0;
  moment head = 0;  // when the first byte reaches the start of the next link
  moment tail = 0;  // when the last byte will be there
  // The number of the next link, in the count of the topology; the group on the route; the node.
  int step = 0;
  int by_way_of = 0;
  int at = 0;
};

class network_links {
 public:
  virtual ~network_links() = default;

  // Lets a passage take the next link of its path; called in the order of `head`. Returns false at
  // the end of the path.
  virtual bool move_on(passage& p) = 0;
  // Returns the number of nodes of a group; 0: there is only one group.
  [[nodiscard]] virtual int nodes_per_group() const = 0;
};

// Returns nullptr if the network has no links. Throws argument_error if the topology is impossible,
// or has no place for `nodes` nodes.
std::unique_ptr<network_links> make_network_links(const simulated_network& network, int nodes,
                                                  std::uint64_t seed);

}  // namespace boxcar::detail
