#include "substrate/node_layout.hpp"

namespace boxcar::detail {

int pes_per_node(const substrate& world) {
  int per_node = 0;
  while (per_node < world.size() && world.node_of(per_node) == 0) ++per_node;
  for (int pe = 0; pe < world.size(); ++pe) {
    if (world.node_of(pe) != pe / per_node) return 0;
  }
  return world.size() % per_node == 0 ? per_node : 0;
}

}  // namespace boxcar::detail
