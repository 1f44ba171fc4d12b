// The part of the octree of all particles that a PE has: the cells of its domain, the cells that
// contain several domains, which all PEs have, and copies of cells of other PEs.
//
// The octree is that of all particles: a cell is a leaf if the cell has at most max_leaf_size
// particles, and moments are added in the order of keys. So the cells and their moments do not
// depend on the number of PEs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/nbody/domain.hpp"
#include "support/nbody/moments.hpp"

namespace examples::nbody {

struct cell {
  moments sum;
  // A position farther from the center of mass may use the moments (J. Barnes, A Modified Tree
  // Code, Journal of Computational Physics 87, 1990): width / theta + distance of the two centers.
  double opening_radius = 0;
  std::int32_t owner = 0;
  std::uint32_t at_owner = 0;    // the index at the owner
  std::uint32_t first = absent;  // the index of the first child, or of the first body of a leaf
  std::uint32_t size = 0;        // the number of children, or of bodies of a leaf
  bool is_leaf = false;

  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  // Returns whether the PE has the children or bodies.
  [[nodiscard]] bool is_present() const { return first != absent; }
};

struct tree_options {
  double theta = 0.7;
  double softening = 0.02;
  double particle_mass = 1;
};

class tree {
 public:
  // Builds the tree of the calling PE alone. Preconditions: there is a particle; the particles are
  // all particles, and sorted.
  tree(const cube& space, std::span<const particle> all, const tree_options& options);
  // Collective. Preconditions: the particles are the sorted particles of the domain of the PE; some
  // PE has a particle.
  tree(boxcar::world& w, const domains& of_pes, const cube& space, std::span<const particle> mine,
       const tree_options& options);

  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] const cell& at(std::uint32_t index) const { return cells_[index]; }
  // Preconditions: the cell is present, and not a leaf.
  [[nodiscard]] std::span<const cell> children_of(const cell& c) const {
    return std::span(cells_).subspan(c.first, c.size);
  }
  // Precondition: the leaf is present.
  [[nodiscard]] std::span<const body> bodies_of(const cell& leaf) const {
    return std::span(bodies_).subspan(leaf.first, leaf.size);
  }
  // The leaves of the PE's particles. The bodies of the leaves are the particles, in their order.
  [[nodiscard]] std::span<const cell> leaves() const { return leaves_; }
  [[nodiscard]] const tree_options& options() const { return options_; }

  // Adds copies of the children, or of the bodies, of a cell of another PE. Precondition: the cell
  // is not present. References and spans of cells or bodies become invalid.
  void add_children(std::uint32_t index, std::span<const cell> children);
  void add_bodies(std::uint32_t index, std::span<const body> bodies);

 private:
  struct branch;
  class branch_reader;

  void find_branches(const domains& of_pes, const cell_place& place,
                     std::span<const particle> particles, std::vector<branch>& found);
  [[nodiscard]] cell join_branches(const domains& of_pes, const cell_place& place,
                                   branch_reader& branches);
  [[nodiscard]] cell build(const cell_place& place, std::span<const particle> particles);
  [[nodiscard]] cell make_leaf(const cell_place& place, std::span<const particle> particles);
  [[nodiscard]] cell make_inner(const cell_place& place, std::span<const cell> children);
  [[nodiscard]] cell make_cell(const cell_place& place, const moments& sum, std::size_t first,
                               std::size_t size) const;
  std::uint32_t append(std::span<const cell> cells);

  cube space_;
  tree_options options_;
  int rank_;
  std::vector<cell> cells_;   // the children of a cell are neighbors
  std::vector<body> bodies_;  // likewise the bodies of a leaf
  std::vector<cell> leaves_;
  std::uint32_t root_ = 0;
};

}  // namespace examples::nbody
