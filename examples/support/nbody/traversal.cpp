#include "support/nbody/traversal.hpp"

#include <algorithm>

namespace examples::nbody {
namespace {

// Adds the acceleration by one source, a body or moments, to the sum of each particle.
template <typename Source>
void add_acceleration(const Source& source, std::span<const body> particles,
                      double softening_squared, std::span<fixed_vector> sums) {
  for (std::size_t i = 0; i != particles.size(); ++i) {
    sums[i] += acceleration_by(source, particles[i].position, softening_squared);
  }
}

}  // namespace

bounding_box::bounding_box(std::span<const body> bodies) : low(bodies.front().position), high(low) {
  for (const body& b : bodies) {
    const vector3& p = b.position;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
}

double bounding_box::distance_squared(const vector3& position) const {
  const vector3 nearest = {std::clamp(position.x, low.x, high.x),
                           std::clamp(position.y, low.y, high.y),
                           std::clamp(position.z, low.z, high.z)};
  const vector3 distance = position - nearest;
  return dot(distance, distance);
}

std::uint64_t attract(const tree& t, const cell& leaf, std::uint32_t from,
                      std::span<fixed_vector> sums, std::vector<std::uint32_t>& missing) {
  const std::span<const body> particles = t.bodies_of(leaf);
  const bounding_box box(particles);
  const double softening_squared = t.options().softening * t.options().softening;
  std::uint64_t pairs = 0;
  std::array<std::uint32_t, 8 * (max_level + 1)> stack;  // at most 7 siblings wait on each level
  std::size_t depth = 0;
  stack[depth++] = from;
  while (depth != 0) {
    const std::uint32_t index = stack[--depth];
    const cell& c = t.at(index);
    if (box.distance_squared(c.sum.center) > c.opening_radius * c.opening_radius) {
      add_acceleration(c.sum, particles, softening_squared, sums);
      pairs += particles.size();
    } else if (!c.is_present()) {
      missing.push_back(index);
    } else if (c.is_leaf) {
      for (const body& source : t.bodies_of(c)) {
        add_acceleration(source, particles, softening_squared, sums);
      }
      pairs += particles.size() * c.size;
    } else {
      for (std::uint32_t child = 0; child != c.size; ++child) stack[depth++] = c.first + child;
    }
  }
  return pairs;
}

std::vector<fixed_vector> direct_sum(std::span<const body> bodies, std::span<const body> particles,
                                     double softening) {
  std::vector<fixed_vector> sums(particles.size());
  for (const body& source : bodies) {
    add_acceleration(source, particles, softening * softening, sums);
  }
  return sums;
}

}  // namespace examples::nbody
