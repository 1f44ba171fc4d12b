// How a collective is to travel; by itself the best that is known.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>

#include <boxcar/schedule_carrier.hpp>

namespace boxcar {

// Who sends to whom. Which collectives can use which: docs/collectives.md.
enum class topology : std::uint8_t {
  automatic,      // what has been found to be best
  k_ary_tree,     // each PE has k parts of as many PEs below it
  k_nomial_tree,  // the binomial tree and its relatives
  chain,          // one behind the other
  ring,
  pairwise,       // each with each
  dissemination,  // over the distances 1, 2, 4, ...
  butterfly,      // in pairs over the same distances
  grid,           // in two hops: within the node, then to the other nodes
  circulant,      // in pieces, in as few rounds as can be
  // Each PE puts what it gives where all see it, and takes what it needs when it asks for the end
  // of its run; for little data, in a world of one node.
  shared_memory
};

// The same on all PEs.
struct collective_options {
  topology over = topology::automatic;
  // The k of trees and of dissemination; 0: what has been found to be best.
  int fan_out = 0;
  // Along trees, chains and circulants data travel in pieces of so many bytes, one behind the
  // other; 0: chosen, with `over`. A piece has whole elements, and one at least.
  std::size_t segment_bytes = 0;
  // Within the node first; and between nodes over one edge to each other node of a tree, by one PE
  // of each, or by several with a share of the data each: docs/collectives.md. Where the order of
  // the PEs matters, as in scans, nodes must have PEs that follow one another; else it is left out.
  bool by_node = true;
  // What elements are combined to has the same bits for the same number of PEs, whatever nodes they
  // are on and however the collective travels: ((x0 + x1) + x2) + ..., in the order of the PEs.
  // Such a collective does not go within nodes first: docs/collectives.md.
  bool reproducible = false;
  // Of collectives between nodes.
  schedule_carrier carrier = schedule_carrier::automatic;
  friend bool operator==(const collective_options&, const collective_options&) = default;
};

}  // namespace boxcar
