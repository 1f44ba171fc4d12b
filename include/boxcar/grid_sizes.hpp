// Grid sizes are the sizes of the dimensions of a grid of PEs, the slowest first: PE r = (r0, r1,
// ...) of a grid of sizes {s0, s1, ...} is r0*s1*s2*... + r1*s2*... + ... . The functions choose
// and change sizes.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <string>
#include <vector>

namespace boxcar {

using grid_sizes = std::vector<int>;

inline constexpr int most_dimensions = 8;

// "4 x 4 x 8"
[[nodiscard]] std::string to_text(const grid_sizes& sizes);

// Merges two successive dimensions into one: items skip the stop between the dimensions
// (tram-thesis-2014, section 3.4.4). `first` is the number of the first of the two. Throws
// argument_error if the two dimensions do not exist.
[[nodiscard]] grid_sizes merge_dimensions(grid_sizes sizes, int first);

// Splits a dimension into two; the second, the faster dimension, has size `inner`. Throws
// argument_error, with the sizes that would work, if `inner` does not divide the size of the
// dimension.
[[nodiscard]] grid_sizes split_dimension(grid_sizes sizes, int dimension, int inner);

// Returns sizes for `pes` PEs with few links per PE: all sizes are about equally large. If there
// are several PEs on each node, the last dimension is the node. Numbers that do not factor well
// have an incomplete last slab: the product of the sizes is then more than `pes`, and the first
// size is as small as possible. `pes_per_node` is the number of PEs of every node, 1 or 0 if the
// nodes differ. Throws argument_error if `dimensions` is not 1 to 8.
[[nodiscard]] grid_sizes balanced_grid(int pes, int dimensions, int pes_per_node = 1);

// Returns every grid whose routes are minimal on a torus, or mesh, of nodes: no item takes more
// links than directly between the two nodes (tram-thesis-2014, sections 3.4.4 and 6.1.2).
// Successive dimensions of the torus may be merged, and the PEs of a node may be one dimension or
// several, or be merged, all or some of them, with the last dimension of the torus. PEs are
// numbered along the torus; PEs of a node have successive numbers. Grids with the fewest dimensions
// come first.
[[nodiscard]] std::vector<grid_sizes> minimal_grids(const grid_sizes& torus, int pes_per_node);

}  // namespace boxcar
