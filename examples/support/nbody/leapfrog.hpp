// The leapfrog integrator: a step is half a kick, a drift, and half a kick by the new
// accelerations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/nbody/cube.hpp"
#include "support/nbody/fixed_vector.hpp"
#include "support/nbody/particle.hpp"
#include "support/nbody/tree.hpp"

namespace examples::nbody {

struct model {
  std::uint64_t particles = 1;
  std::uint64_t seed = 1;
  std::uint64_t steps = 1;
  double time_step = 1.0 / 64;
  double theta = 0.7;
  double softening = 0.02;

  [[nodiscard]] tree_options tree() const {
    return {theta, softening, 1 / static_cast<double>(particles)};
  }
};

// Changes velocities by accelerations that last for a time.
void kick(std::span<particle> particles, std::span<const fixed_vector> accelerations, double time);

// Changes positions by velocities that last for a time.
void drift(std::span<particle> particles, double time);

// Returns the largest absolute value of a coordinate.
[[nodiscard]] double largest_coordinate(std::span<const particle> particles);

// Gives particles the keys of their positions.
void set_keys(const cube& space, std::span<particle> particles);

// The state of the model after its steps, and the accelerations before the first step, computed by
// the calling PE alone. The particles, and the accelerations, are in the order of their numbers.
struct serial_result {
  std::vector<particle> particles;
  std::vector<particle> initial;
  std::vector<fixed_vector> initial_accelerations;
};
[[nodiscard]] serial_result simulate_serially(const model& m);

}  // namespace examples::nbody
