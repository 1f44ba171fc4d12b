// The cube that contains all particles, and the octree of its cells.
//
// A Morton key has 3 bits for each of 21 levels: bit by bit x, y and z of the position. The cells
// of a level are numbered by the first bits of the keys of their positions, and the keys of the
// positions in a cell are consecutive. Source: M. Warren, J. Salmon, A Parallel Hashed Oct-Tree
// N-Body Algorithm, Supercomputing 1993.
#pragma once

#include <cstdint>

#include "support/nbody/vector3.hpp"

namespace examples::nbody {

inline constexpr int max_level = 21;
inline constexpr std::uint64_t end_of_keys = std::uint64_t{1} << (3 * max_level);

// A cell of the octree: the keys from `first` to `first + num_keys() - 1`. The cell of level 0 is
// the cube.
struct cell_place {
  std::uint64_t first = 0;
  int level = 0;

  [[nodiscard]] std::uint64_t num_keys() const { return end_of_keys >> (3 * level); }
  [[nodiscard]] std::uint64_t end() const { return first + num_keys(); }
  // Returns one of the 8 cells of the next level. Precondition: level < max_level.
  [[nodiscard]] cell_place child(int octant) const {
    return {first + (num_keys() >> 3) * static_cast<std::uint64_t>(octant), level + 1};
  }
  friend bool operator==(const cell_place& a, const cell_place& b) = default;
};

// Returns the cell of a level that contains a key.
[[nodiscard]] inline cell_place cell_of_key(std::uint64_t key, int level) {
  const int bits = 3 * (max_level - level);
  return {key >> bits << bits, level};
}

// The cube of the positions whose coordinates are from -half_width to half_width.
struct cube {
  double half_width;

  // Precondition: the position is in the cube.
  [[nodiscard]] std::uint64_t key_of(const vector3& position) const;
  [[nodiscard]] double width(const cell_place& cell) const;
  [[nodiscard]] vector3 center(const cell_place& cell) const;
};

// Returns the smallest cube, of a power of two, around positions with coordinates of at most
// `largest`, so that the keys of particles at rest change seldom.
[[nodiscard]] cube cube_around(double largest);

}  // namespace examples::nbody
