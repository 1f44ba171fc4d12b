// The traversal of the octree for a leaf of particles, by Barnes and Hut (A hierarchical O(N log N)
// force-calculation algorithm, Nature 324, 1986). A leaf has one traversal for all of its
// particles: a cell acts by its moments if the cell is far from the box of the leaf.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "support/nbody/fixed_vector.hpp"
#include "support/nbody/tree.hpp"

namespace examples::nbody {

// The smallest box around bodies.
struct bounding_box {
  vector3 low;
  vector3 high;

  // Precondition: there is a body.
  explicit bounding_box(std::span<const body> bodies);
  [[nodiscard]] double distance_squared(const vector3& position) const;
};

// Adds to `sums`, which has an element for each particle of a leaf, the accelerations by the cell
// `from` and the cells in it, except for cells that are not present: their indices are appended to
// `missing`. Returns the number of pairs of a particle and a body, or of a particle and a cell's
// moments. Precondition: the leaf is of the PE.
std::uint64_t attract(const tree& t, const cell& leaf, std::uint32_t from,
                      std::span<fixed_vector> sums, std::vector<std::uint32_t>& missing);

// Returns the accelerations of particles by the sum over all bodies. A body at the position of a
// particle, as the particle itself, adds nothing.
[[nodiscard]] std::vector<fixed_vector> direct_sum(std::span<const body> bodies,
                                                   std::span<const body> particles,
                                                   double softening);

}  // namespace examples::nbody
