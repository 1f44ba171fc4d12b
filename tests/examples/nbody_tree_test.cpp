// Tests of the cells, the leaves and the traversal of the octree of one PE.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "support/nbody/leapfrog.hpp"
#include "support/nbody/plummer.hpp"
#include "support/nbody/traversal.hpp"
#include "support/nbody/tree.hpp"

namespace examples::nbody::test::nbody_tree_test {
namespace {

struct sphere {
  cube space{1};
  std::vector<particle> particles;
};

sphere sorted_sphere(std::uint64_t n) {
  sphere s;
  for (std::uint64_t i = 0; i != n; ++i) s.particles.push_back(plummer_particle(7, i));
  s.space = cube_around(largest_coordinate(s.particles));
  set_keys(s.space, s.particles);
  std::sort(s.particles.begin(), s.particles.end(), comes_before);
  return s;
}

TEST(nbody_cube, keys_of_corners) {
  const cube space{2};
  EXPECT_EQ(space.key_of({-2, -2, -2}), 0u);
  EXPECT_EQ(space.key_of({2, 2, 2}), end_of_keys - 1);
  EXPECT_EQ(space.key_of({0, -2, -2}), end_of_keys / 2);
  EXPECT_EQ(space.key_of({-2, 0, -2}), end_of_keys / 4);
  EXPECT_EQ(space.key_of({-2, -2, 0}), end_of_keys / 8);
}

TEST(nbody_cube, cells_contain_their_positions) {
  const sphere s = sorted_sphere(200);
  for (const particle& p : s.particles) {
    for (int level = 0; level <= max_level; ++level) {
      const cell_place cell = cell_of_key(p.key, level);
      EXPECT_LE(cell.first, p.key);
      EXPECT_LT(p.key, cell.end());
      const vector3 distance = p.position - s.space.center(cell);
      const double half = s.space.width(cell) / 2 * (1 + 1e-9);
      EXPECT_LE(std::abs(distance.x), half);
      EXPECT_LE(std::abs(distance.y), half);
      EXPECT_LE(std::abs(distance.z), half);
      if (level != 0) {
        const cell_place parent = cell_of_key(p.key, level - 1);
        const auto octant = static_cast<int>((p.key - parent.first) / cell.num_keys());
        EXPECT_EQ(parent.child(octant), cell);
      }
    }
  }
}

TEST(nbody_tree, leaves_are_those_of_the_domains) {
  const sphere s = sorted_sphere(3000);
  const tree t(s.space, s.particles, {});
  std::vector<std::uint64_t> keys;
  for (const particle& p : s.particles) keys.push_back(p.key);
  std::size_t next = 0;
  for (const cell& leaf : t.leaves()) {
    EXPECT_EQ(leaf.first, next);
    EXPECT_GT(leaf.size, 0u);
    EXPECT_LE(leaf.size, max_leaf_size);
    next += leaf.size;
    // Keys of particles that are far away in the order make no difference to `leaf_around`.
    for (std::size_t i = leaf.first; i != next; ++i) {
      const std::size_t before = std::min(i, max_leaf_size);
      const std::size_t after = std::min(keys.size() - i, max_leaf_size + 1);
      const auto all = std::span(keys);
      const cell_place found = leaf_around(all.subspan(i - before, before), all.subspan(i, after));
      const auto begin = std::lower_bound(keys.begin(), keys.end(), found.first);
      const auto end = std::lower_bound(keys.begin(), keys.end(), found.end());
      EXPECT_EQ(begin - keys.begin(), leaf.first);
      EXPECT_EQ(end - begin, leaf.size);
    }
  }
  EXPECT_EQ(next, s.particles.size());
}

TEST(nbody_tree, root_has_the_moments_of_all_bodies) {
  const sphere s = sorted_sphere(1000);
  const tree t(s.space, s.particles, {.particle_mass = 1e-3});
  std::vector<body> bodies;
  for (const particle& p : s.particles) bodies.push_back({p.position, 1e-3});
  const moments right = moments_of(bodies);
  const moments& found = t.at(t.root()).sum;
  EXPECT_NEAR(found.mass, 1, 1e-12);
  EXPECT_NEAR(length(found.center - right.center), 0, 1e-12);
  EXPECT_NEAR(found.xx, right.xx, 1e-11);
  EXPECT_NEAR(found.xy, right.xy, 1e-11);
  EXPECT_NEAR(found.yz, right.yz, 1e-11);
}

// More particles than a leaf has room for, at one position.
TEST(nbody_tree, leaf_of_the_last_level_has_any_size) {
  std::vector<particle> particles(50);
  for (particle& p : particles) p.position = {0.3, 0.1, 0.2};
  const cube space{1};
  set_keys(space, particles);
  const tree t(space, particles, {});
  ASSERT_EQ(t.leaves().size(), 1u);
  EXPECT_EQ(t.leaves().front().size, 50u);
  std::vector<fixed_vector> sums(50);
  std::vector<std::uint32_t> missing;
  EXPECT_EQ(attract(t, t.leaves().front(), t.root(), sums, missing), 2500u);
  for (const fixed_vector& sum : sums) EXPECT_EQ(sum, fixed_vector());
}

// The smaller the opening angle, the smaller the error.
TEST(nbody_traversal, approximates_the_sum_over_all_pairs) {
  const sphere s = sorted_sphere(2000);
  double error_before = 1e-3;
  for (const double theta : {0.7, 0.5, 0.3}) {
    const tree t(s.space, s.particles, {.theta = theta, .softening = 0.02, .particle_mass = 5e-4});
    std::vector<body> bodies;
    double error = 0;
    std::vector<fixed_vector> sums(s.particles.size());
    std::vector<std::uint32_t> missing;
    for (const cell& leaf : t.leaves()) {
      attract(t, leaf, t.root(), std::span(sums).subspan(leaf.first, leaf.size), missing);
      bodies.insert(bodies.end(), t.bodies_of(leaf).begin(), t.bodies_of(leaf).end());
    }
    const std::vector<fixed_vector> right = direct_sum(bodies, bodies, 0.02);
    for (std::size_t i = 0; i != sums.size(); ++i) {
      error += length(sums[i].value() - right[i].value()) / length(right[i].value()) / 2000;
    }
    EXPECT_TRUE(missing.empty());
    EXPECT_GT(error, 0);
    EXPECT_LT(error, error_before) << theta;
    error_before = error / 2;
  }
}

// The potential energy of a Plummer sphere is -3 pi / 32, twice the kinetic energy.
TEST(nbody_plummer, is_in_equilibrium) {
  constexpr std::uint64_t n = 4000;
  double kinetic = 0;
  std::size_t within_unit = 0;
  for (std::uint64_t i = 0; i != n; ++i) {
    const particle p = plummer_particle(3, i);
    EXPECT_EQ(p.number, i);
    kinetic += dot(p.velocity, p.velocity) / 2 / n;
    within_unit += length(p.position) < 1 ? 1 : 0;
  }
  EXPECT_NEAR(kinetic, 0.1473, 0.01);
  // The mass within the radius 1 is 2^(-3/2) of the mass, which ends at 0.99 here.
  EXPECT_NEAR(static_cast<double>(within_unit) / n, 0.3536 / 0.99, 0.03);
}

}  // namespace
}  // namespace examples::nbody::test::nbody_tree_test
