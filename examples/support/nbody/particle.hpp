// The particles of an N-body simulation.
#pragma once

#include <cstdint>
#include <tuple>

#include "support/nbody/vector3.hpp"

namespace examples::nbody {

struct particle {
  std::uint64_t key;  // the Morton key of the position in the cube of all particles
  std::uint64_t number;
  vector3 position;
  vector3 velocity;
};

// The order of the particles over all PEs; no two particles are equal.
inline bool comes_before(const particle& a, const particle& b) {
  return std::tie(a.key, a.number) < std::tie(b.key, b.number);
}

// A source of gravity.
struct body {
  vector3 position;
  double mass;
};

}  // namespace examples::nbody
