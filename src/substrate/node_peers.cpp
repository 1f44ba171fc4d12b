// The construction of node_peers from a world.
#include <boxcar/detail/node_peers.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

node_peers::node_peers(const substrate& world) {
  const node_layout& nodes = world.layout();
  const int node = world.node_of(world.rank());
  first_ = nodes.pe_at(node, 0);
  const int all = nodes.local_size(node);
  int run = 1;
  while (run < all && nodes.pe_at(node, run) == first_ + run) ++run;
  count_ = static_cast<std::uint32_t>(run);
}

}  // namespace boxcar::detail
