// The edges of a graph as they are dealt out to the PEs: each to the PE that has its first vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/graph/cyclic_distribution.hpp"

namespace examples::graph {

struct edge {
  vertex from;
  vertex to;
  float weight = 1;
};

// An edge on the PE of its first vertex.
struct half_edge {
  std::uint32_t from;  // the place of the first vertex
  address to;
  float weight;
};

enum class direction : bool { one_way, both_ways };

// Collective. Returns the edges that begin at vertices of the PE, of those that all PEs give. An
// edge of an undirected graph, `both_ways`, begins at both of its vertices; a self loop begins
// once.
std::vector<half_edge> deal_out(const boxcar::world& w, const cyclic_distribution& d,
                                std::span<const edge> edges, direction ways);

}  // namespace examples::graph
