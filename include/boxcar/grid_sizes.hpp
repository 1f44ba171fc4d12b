// The sizes of the dimensions of a grid of PEs, the slowest first: PE r = (r0, r1, ...) of a grid
// of sizes {s0, s1, ...} is r0*s1*s2*... + r1*s2*... + ... . Functions to choose and to change
// them.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <string>
#include <vector>

namespace boxcar {

using grid_sizes = std::vector<int>;

inline constexpr int most_dimensions = 8;

// "4 x 4 x 8"
[[nodiscard]] std::string to_text(const grid_sizes& sizes);

// Two successive dimensions as one: items skip the stop between them (tram-thesis-2014,
// section 3.4.4). `first` is the number of the first of them. Throws argument_error if there are no
// two such dimensions.
[[nodiscard]] grid_sizes merge_dimensions(grid_sizes sizes, int first);

// A dimension as two, of which the second, the faster one, has size `inner`. Throws argument_error,
// with the sizes that would do, if that does not divide the dimension.
[[nodiscard]] grid_sizes split_dimension(grid_sizes sizes, int dimension, int inner);

// Sizes for so many PEs that make for few links per PE: all about equally large. If there are
// several PEs on each node, the last dimension is the node. Numbers that do not factor well have an
// incomplete last slab: the product of the sizes is then more than `pes`, and the first is as small
// as it can be. `pes_per_node`: the number of PEs of every node, 1 or 0 if they differ. Throws
// argument_error if `dimensions` is not 1 to 8.
[[nodiscard]] grid_sizes balanced_grid(int pes, int dimensions, int pes_per_node = 1);

// Every grid whose routes are minimal on a torus, or mesh, of nodes: no item goes a longer way than
// between its nodes directly (tram-thesis-2014, sections 3.4.4 and 6.1.2). Successive dimensions of
// the torus may be merged, and the PEs of a node may be one dimension or several, or be merged with
// the last dimension of the torus, or some of them. PEs are numbered along the torus, those of a
// node in succession. Fewest dimensions first.
[[nodiscard]] std::vector<grid_sizes> minimal_grids(const grid_sizes& torus, int pes_per_node);

}  // namespace boxcar
