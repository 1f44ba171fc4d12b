#include "support/nbody/leapfrog.hpp"

#include <algorithm>
#include <cmath>

#include "support/nbody/plummer.hpp"
#include "support/nbody/traversal.hpp"

namespace examples::nbody {
namespace {

// Sorts all particles, and returns their accelerations in the new order.
std::vector<fixed_vector> sort_and_attract(const model& m, std::vector<particle>& particles) {
  const cube space = cube_around(largest_coordinate(particles));
  set_keys(space, particles);
  std::sort(particles.begin(), particles.end(), comes_before);
  const tree t(space, particles, m.tree());
  std::vector<fixed_vector> sums(particles.size());
  std::vector<std::uint32_t> missing;
  for (const cell& leaf : t.leaves()) {
    attract(t, leaf, t.root(), std::span(sums).subspan(leaf.first, leaf.size), missing);
  }
  return sums;
}

bool has_lower_number(const particle& a, const particle& b) {
  return a.number < b.number;
}

}  // namespace

void kick(std::span<particle> particles, std::span<const fixed_vector> accelerations, double time) {
  for (std::size_t i = 0; i != particles.size(); ++i) {
    particles[i].velocity += time * accelerations[i].value();
  }
}

void drift(std::span<particle> particles, double time) {
  for (particle& p : particles) p.position += time * p.velocity;
}

double largest_coordinate(std::span<const particle> particles) {
  double largest = 0;
  for (const particle& p : particles) {
    largest =
        std::max({largest, std::abs(p.position.x), std::abs(p.position.y), std::abs(p.position.z)});
  }
  return largest;
}

void set_keys(const cube& space, std::span<particle> particles) {
  for (particle& p : particles) p.key = space.key_of(p.position);
}

serial_result simulate_serially(const model& m) {
  std::vector<particle> particles;
  for (std::uint64_t i = 0; i != m.particles; ++i) particles.push_back(plummer_particle(m.seed, i));
  serial_result result{.particles = {}, .initial = particles, .initial_accelerations = {}};
  std::vector<fixed_vector> accelerations = sort_and_attract(m, particles);
  result.initial_accelerations.resize(particles.size());
  for (std::size_t i = 0; i != particles.size(); ++i) {
    result.initial_accelerations[particles[i].number] = accelerations[i];
  }
  for (std::uint64_t step = 0; step != m.steps; ++step) {
    kick(particles, accelerations, m.time_step / 2);
    drift(particles, m.time_step);
    accelerations = sort_and_attract(m, particles);
    kick(particles, accelerations, m.time_step / 2);
  }
  std::sort(particles.begin(), particles.end(), has_lower_number);
  result.particles = std::move(particles);
  return result;
}

}  // namespace examples::nbody
