#include "support/nbody/plummer.hpp"

#include <cmath>
#include <numbers>

#include "support/random_stream.hpp"

namespace examples::nbody {
namespace {

// Returns a vector of a length with a random direction.
vector3 in_any_direction(random_stream& random, double length) {
  const double z = 2 * random.uniform() - 1;
  const double angle = 2 * std::numbers::pi * random.uniform();
  const double across = std::sqrt(1 - z * z);
  return length * vector3{across * std::cos(angle), across * std::sin(angle), z};
}

// Returns a random speed as a share of the escape speed, with the density q^2 (1 - q^2)^(7/2).
double share_of_escape_speed(random_stream& random) {
  constexpr double above_density = 0.1;
  for (;;) {
    const double q = random.uniform();
    if (above_density * random.uniform() < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

}  // namespace

particle plummer_particle(std::uint64_t seed, std::uint64_t number) {
  constexpr double share_of_mass = 0.99;
  random_stream random(seed, static_cast<int>(number));
  const double mass_within = share_of_mass * random.uniform();
  const double radius = 1 / std::sqrt(std::pow(mass_within, -2.0 / 3) - 1);
  const double escape_speed = std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
  particle p{0, number, in_any_direction(random, radius), {}};
  p.velocity = in_any_direction(random, escape_speed * share_of_escape_speed(random));
  return p;
}

}  // namespace examples::nbody
