// Initial conditions: a Plummer sphere in virial equilibrium, with the gravitational constant and
// the mass 1. Source: S. Aarseth, M. Henon, R. Wielen, A comparison of numerical methods for the
// study of star cluster dynamics, Astronomy and Astrophysics 37, 1974, appendix.
#pragma once

#include <cstdint>

#include "support/nbody/particle.hpp"

namespace examples::nbody {

// Returns particle `number` of the sphere, without a key. The particle depends on the seed and the
// number alone. The scale radius of the sphere is 1; the sphere ends where it has 99 % of the mass
// of an infinite sphere.
[[nodiscard]] particle plummer_particle(std::uint64_t seed, std::uint64_t number);

}  // namespace examples::nbody
