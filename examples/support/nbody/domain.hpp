// The domains of the PEs: each PE has the particles of a range of Morton keys. Ranges begin where a
// leaf of the octree begins, so that no leaf is divided between PEs, and the octree is the same for
// any number of PEs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/nbody/cube.hpp"
#include "support/nbody/particle.hpp"

namespace examples::nbody {

// A leaf has at most as many particles, unless the leaf is of the last level.
inline constexpr std::size_t max_leaf_size = 16;

// The keys at which the domains of the PEs begin, and the end of all keys. Domains may be empty.
class domains {
 public:
  explicit domains(std::vector<std::uint64_t> bounds) : bounds_(std::move(bounds)) {}

  [[nodiscard]] int owner_of(std::uint64_t key) const;
  // Returns whether the particles of a cell belong to several PEs.
  [[nodiscard]] bool are_divided(const cell_place& cell) const;

 private:
  std::vector<std::uint64_t> bounds_;
};

// Returns the leaf that contains the key `after.front()`. Preconditions: the keys are sorted; there
// are max_leaf_size keys in `before`, or all keys before; likewise in `after`, after the first.
[[nodiscard]] cell_place leaf_around(std::span<const std::uint64_t> before,
                                     std::span<const std::uint64_t> after);

// Collective. Moves the particles of all PEs to the PEs of their domains, which are balanced except
// for parts of leaves, and sorts the particles. Returns the domains.
[[nodiscard]] domains distribute(boxcar::world& w, std::vector<particle>& particles);

}  // namespace examples::nbody
