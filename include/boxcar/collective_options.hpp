// The options say how a collective travels; the default is the best known algorithm.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>

#include <boxcar/schedule_carrier.hpp>

namespace boxcar {

// The communication pattern. docs/collectives.md lists the topologies of each collective.
enum class topology : std::uint8_t {
  automatic,      // the best known topology
  k_ary_tree,     // each PE has k parts of as many PEs below it
  k_nomial_tree,  // the binomial tree and its relatives
  chain,          // each PE behind the previous PE
  ring,
  pairwise,       // each with each
  dissemination,  // over the distances 1, 2, 4, ...
  butterfly,      // in pairs over the same distances
  grid,           // in two hops: within the node, then to the other nodes
  circulant,      // in pieces, in as few rounds as can be
  // Each PE puts its input where all PEs see the input, and takes what is needed when asking for
  // the end of the run; for little data, in a world of a single node.
  shared_memory
};

// The options are the same on all PEs.
struct collective_options {
  topology over = topology::automatic;
  // The k of trees and of dissemination; 0: the best known k.
  int fan_out = 0;
  // Along trees, chains and circulants data travel in pieces of `segment_bytes` bytes, in order; 0:
  // chosen, with `over`. A piece has whole elements, at least one.
  std::size_t segment_bytes = 0;
  // Data travel within the node first. Between nodes, data travel over a single edge to each other
  // node of a tree, by a PE of each node, or by several PEs with a share of the data each:
  // docs/collectives.md. Where the order of the PEs matters, as in scans, PEs of a node must have
  // consecutive ranks; otherwise the option is ignored.
  bool by_node = true;
  // The result of a combination has the same bits for the same number of PEs, on any nodes and by
  // any route: ((x0 + x1) + x2) + ..., in the order of the PEs. A reproducible collective does not
  // go within nodes first: docs/collectives.md.
  bool reproducible = false;
  // The backend of collectives between nodes.
  schedule_carrier carrier = schedule_carrier::automatic;
  friend bool operator==(const collective_options&, const collective_options&) = default;
};

}  // namespace boxcar
