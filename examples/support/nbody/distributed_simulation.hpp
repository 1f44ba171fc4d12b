// The simulation of a model by all PEs, with the time of each phase.
#pragma once

#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/nbody/gravity.hpp"
#include "support/nbody/leapfrog.hpp"

namespace examples::nbody {

// Seconds of all steps, of the slowest PE.
struct phase_times {
  double domains = 0;
  double tree = 0;
  double gravity = 0;
};

class distributed_simulation {
 public:
  // Collective. Draws the particles, and computes the first accelerations.
  distributed_simulation(boxcar::world& w, const model& m, const gravity_options& options);

  // Collective. Does a step of the leapfrog.
  void step();

  // The particles of the PE, which change their PE in each step, and their accelerations.
  [[nodiscard]] std::span<const particle> particles() const { return particles_; }
  [[nodiscard]] std::span<const fixed_vector> accelerations() const { return accelerations_; }
  [[nodiscard]] const phase_times& times() const { return times_; }
  [[nodiscard]] const gravity_traffic& traffic() const { return gravity_.traffic(); }

 private:
  // Moves particles to the PEs of their domains, and computes their accelerations.
  void distribute_and_attract();

  boxcar::world& world_;
  model model_;
  gravity gravity_;
  std::vector<particle> particles_;
  std::vector<fixed_vector> accelerations_;
  phase_times times_;
};

}  // namespace examples::nbody
