// Tests that particles on any number of PEs move as on one PE, bit by bit, and that the messages
// are those that the options name.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/nbody/distributed_simulation.hpp"
#include "support/nbody/gravity.hpp"
#include "support/nbody/traversal.hpp"

namespace examples::nbody::test::nbody_gravity_test {
namespace {

constexpr int numbers_of_pes[] = {1, 2, 3, 7};

gravity_options single_messages() {
  return {.aggregate_requests = false, .aggregate_replies = false};
}

// Simulates on several PEs, and requires the states of a simulation on one PE.
void expect_serial_states(const model& m, int pes, const gravity_options& options) {
  const serial_result right = simulate_serially(m);
  boxcar::run(pes, [&](boxcar::world& w) {
    distributed_simulation simulation(w, m, options);
    for (std::size_t i = 0; i != simulation.particles().size(); ++i) {
      EXPECT_EQ(simulation.accelerations()[i],
                right.initial_accelerations[simulation.particles()[i].number]);
    }
    for (std::uint64_t step = 0; step != m.steps; ++step) simulation.step();
    for (const particle& p : simulation.particles()) {
      EXPECT_EQ(p.position, right.particles[p.number].position);
      EXPECT_EQ(p.velocity, right.particles[p.number].velocity);
    }
    EXPECT_EQ(w.reduce(simulation.particles().size()), m.particles);
  });
}

class nbody_gravity : public testing::TestWithParam<int> {};

TEST_P(nbody_gravity, moves_particles_as_one_pe_on_threads) {
  for (const std::uint64_t particles : {1u, 16u, 17u, 600u}) {
    SCOPED_TRACE(particles);
    expect_serial_states({.particles = particles, .steps = 3}, GetParam(), {});
    expect_serial_states({.particles = particles, .steps = 1}, GetParam(), single_messages());
  }
}

TEST_P(nbody_gravity, requests_a_cell_once_on_threads) {
  const model m{.particles = 1000};
  boxcar::run(GetParam(), [&](boxcar::world& w) {
    const distributed_simulation aggregated(w, m, {});
    const distributed_simulation single(w, m, single_messages());
    const gravity_traffic& mine = aggregated.traffic();
    const std::uint64_t requests = w.reduce(mine.requests);
    EXPECT_EQ(requests, w.reduce(mine.replies));
    EXPECT_EQ(mine.requests, single.traffic().requests);
    EXPECT_EQ(mine.pairs, single.traffic().pairs);
    EXPECT_EQ(requests, w.reduce(single.traffic().request_buffers));
    EXPECT_EQ(requests != 0, w.size() != 1);
    if (w.size() != 1) {
      EXPECT_LT(w.reduce(mine.request_buffers), requests / 2);
    }
  });
}

// Half of the particles share a position, and so a leaf that is larger than the buffers of single
// replies.
TEST_P(nbody_gravity, fetches_leaves_of_any_size_on_threads) {
  std::vector<particle> all(400);
  for (std::uint64_t i = 0; i != all.size(); ++i) {
    all[i].number = i;
    const double x = i < 200 ? 0.25 : -0.9 + 0.008 * static_cast<double>(i - 200);
    all[i].position = {x, 0.25, i < 200 ? 0.25 : 0.3};
  }
  const cube space{1};
  set_keys(space, all);
  const tree_options options{.theta = 0.5, .particle_mass = 1.0 / 400};
  std::vector<particle> sorted = all;
  std::sort(sorted.begin(), sorted.end(), comes_before);
  tree alone(space, sorted, options);
  std::vector<fixed_vector> right(all.size());
  std::vector<std::uint32_t> missing;
  for (const cell& leaf : alone.leaves()) {
    std::vector<fixed_vector> sums(leaf.size);
    attract(alone, leaf, alone.root(), sums, missing);
    for (std::size_t i = 0; i != sums.size(); ++i) right[sorted[leaf.first + i].number] = sums[i];
  }
  boxcar::run(GetParam(), [&](boxcar::world& w) {
    std::vector<particle> mine;
    if (w.rank() == w.size() - 1) mine = all;
    const domains of_pes = distribute(w, mine);
    tree t(w, of_pes, space, mine, options);
    gravity g(w, single_messages());
    const std::vector<fixed_vector> found = g.accelerations(t);
    ASSERT_EQ(found.size(), mine.size());
    for (std::size_t i = 0; i != mine.size(); ++i) EXPECT_EQ(found[i], right[mine[i].number]);
    EXPECT_EQ(w.reduce(mine.size()), all.size());
  });
}

INSTANTIATE_TEST_SUITE_P(pes, nbody_gravity, testing::ValuesIn(numbers_of_pes),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace examples::nbody::test::nbody_gravity_test
