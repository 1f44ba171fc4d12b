// Draws the edges of an R-MAT graph, a Kronecker graph with the probabilities of Graph500.
#pragma once

#include <cstdint>

#include "support/random.hpp"

namespace examples {

// The place of an edge in the adjacency matrix.
struct rmat_edge {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
};

// Returns edge `number` of the graph of 2^scale vertices: a function of the two numbers alone. Each
// of `scale` random numbers gives one bit of the row and one bit of the column, which are the
// quarter of the matrix in which the edge lies (probabilities 57 %, 19 %, 19 % and 5 %). Source:
// Chakrabarti, Zhan, Faloutsos, R-MAT: a recursive model for graph mining, SDM 2004, section 3.
inline rmat_edge draw_rmat_edge(std::uint64_t number, std::uint64_t scale) {
  rmat_edge edge;
  for (std::uint64_t bit = 0; bit < scale; ++bit) {
    const std::uint64_t percent = mix(number * 64 + bit) % 100;
    const bool below = percent >= 76;                          // 57 % and 19 % in the upper half
    const bool right = below ? percent >= 95 : percent >= 57;  // 19 % and 5 % in the lower
    edge.row = edge.row << 1 | std::uint64_t{below};
    edge.column = edge.column << 1 | std::uint64_t{right};
  }
  return edge;
}

}  // namespace examples
