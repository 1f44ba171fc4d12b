// The weighted random graph of Graph500, as a function of the numbers of edges and vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "support/graph/half_edges.hpp"
#include "support/random.hpp"
#include "support/rmat_edge.hpp"

namespace examples::graph {

// The graph does not depend on the number of PEs: all random numbers are counter-based. Source: the
// specification of Graph500, sections 3 and 5.
struct kronecker_graph {
  std::uint64_t scale;        // the graph has 2^scale vertices
  std::uint64_t edge_factor;  // edges for each vertex, with self loops and multiple edges

  [[nodiscard]] vertex vertices() const { return vertex{1} << scale; }
  [[nodiscard]] std::uint64_t edges() const { return edge_factor << scale; }

  // Returns an edge, whose vertices have scrambled numbers, with a weight from 0 to below 1.
  [[nodiscard]] edge edge_of(std::uint64_t number) const {
    const rmat_edge place = draw_rmat_edge(number, scale);
    const std::uint64_t random = mix(mix(number) ^ 0x8d5a97c3b1e64f27);
    return {scrambled(place.row, 0), scrambled(place.column, 0),
            static_cast<float>(random >> 40) * 0x1p-24F};
  }
  // Returns every pes-th edge.
  [[nodiscard]] std::vector<edge> share(std::uint64_t rank, std::uint64_t pes) const {
    std::vector<edge> mine;
    mine.reserve(edges() / pes + 1);
    for (std::uint64_t number = rank; number < edges(); number += pes) {
      mine.push_back(edge_of(number));
    }
    return mine;
  }
  // Returns candidate `number` of the roots of searches: a permutation of the vertices.
  [[nodiscard]] vertex root_candidate(std::uint64_t number) const { return scrambled(number, 1); }

 private:
  // Permutes the numbers below 2^scale: multiplications by odd numbers and shifts to the right are
  // one to one.
  [[nodiscard]] vertex scrambled(vertex v, std::uint64_t permutation) const {
    const vertex mask = vertices() - 1;
    for (std::uint64_t round = 0; round < 3; ++round) {
      v = ((v + mix(2 * round)) * (mix(8 * permutation + 2 * round + 1) | 1)) & mask;
      v ^= v >> (scale / 2 + 1);
    }
    return v;
  }
};

}  // namespace examples::graph
