#include "support/nbody/distributed_simulation.hpp"

#include <boxcar/arithmetic.hpp>

#include "support/nbody/plummer.hpp"
#include "support/stopwatch.hpp"

namespace examples::nbody {

distributed_simulation::distributed_simulation(boxcar::world& w, const model& m,
                                               const gravity_options& options)
    : world_(w), model_(m), gravity_(w, options) {
  const auto pes = static_cast<std::uint64_t>(w.size());
  for (auto i = static_cast<std::uint64_t>(w.rank()); i < m.particles; i += pes) {
    particles_.push_back(plummer_particle(m.seed, i));
  }
  distribute_and_attract();
}

void distributed_simulation::step() {
  kick(particles_, accelerations_, model_.time_step / 2);
  drift(particles_, model_.time_step);
  distribute_and_attract();
  kick(particles_, accelerations_, model_.time_step / 2);
}

void distributed_simulation::distribute_and_attract() {
  stopwatch of_domains(world_);
  const cube space = cube_around(world_.reduce(largest_coordinate(particles_), boxcar::maximum()));
  set_keys(space, particles_);
  const domains of_pes = distribute(world_, particles_);
  times_.domains += of_domains.seconds();

  stopwatch of_tree(world_);
  tree t(world_, of_pes, space, particles_, model_.tree());
  times_.tree += of_tree.seconds();

  stopwatch of_gravity(world_);
  accelerations_ = gravity_.accelerations(t);
  times_.gravity += of_gravity.seconds();
}

}  // namespace examples::nbody
