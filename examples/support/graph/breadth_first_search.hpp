// Breadth-first search of a graph that is distributed over the PEs, level by level.
#pragma once

#include <cstdint>
#include <vector>

#include <boxcar/stream.hpp>
#include <boxcar/world.hpp>

#include "support/graph/graph_share.hpp"
#include "support/graph/search_tree.hpp"

namespace examples::graph {

// Kernel 2 of Graph500. A level is a session of a stream, which carries a visit along each edge
// that leaves a vertex of the level.
class breadth_first_search {
 public:
  // Collective. Keeps references to both.
  breadth_first_search(boxcar::world& w, const graph_share& g);
  breadth_first_search(const breadth_first_search&) = delete;
  breadth_first_search& operator=(const breadth_first_search&) = delete;

  // Collective. Returns the vertices that can be reached from the root, with distances in edges.
  const search_tree& run(vertex root);

 private:
  struct visit {
    std::uint32_t place;
    address from;
  };

  void arrive(const visit& v);
  void leave(const std::vector<std::uint32_t>& places);

  boxcar::world& world_;
  const graph_share& graph_;
  search_tree tree_;
  float level_ = 0;
  std::vector<std::uint32_t> reached_;  // places of the vertices of the level
  boxcar::stream<visit> visits_;
};

}  // namespace examples::graph
