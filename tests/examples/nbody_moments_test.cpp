// Tests of the moments of bodies, and of the accelerations by moments.
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "support/nbody/fixed_vector.hpp"
#include "support/nbody/moments.hpp"

namespace examples::nbody::test::nbody_moments_test {
namespace {

// Bodies without any symmetry, at most 1 from the origin.
const std::vector<body> bodies = {{{0.1, 0.9, -0.3}, 0.2},
                                  {{-0.5, 0.2, 0.6}, 0.1},
                                  {{0.7, -0.4, 0.1}, 0.4},
                                  {{-0.2, -0.6, -0.7}, 0.3}};

vector3 acceleration_by_all(const vector3& position, double softening_squared) {
  vector3 sum;
  for (const body& b : bodies) sum += acceleration_by(b, position, softening_squared);
  return sum;
}

// Returns the relative error of the acceleration by the moments of all bodies.
double error_at(const vector3& position, double softening_squared) {
  const vector3 right = acceleration_by_all(position, softening_squared);
  const vector3 found = acceleration_by(moments_of(bodies), position, softening_squared);
  return length(found - right) / length(right);
}

TEST(nbody_moments, of_groups_are_those_of_their_bodies) {
  const std::vector<moments> groups = {moments_of(std::span(bodies).first(1)),
                                       moments_of(std::span(bodies).subspan(1))};
  const moments joined = moments_of(groups);
  const moments right = moments_of(bodies);
  EXPECT_DOUBLE_EQ(joined.mass, 1);
  EXPECT_NEAR(length(joined.center - right.center), 0, 1e-15);
  EXPECT_NEAR(joined.xx, right.xx, 1e-15);
  EXPECT_NEAR(joined.yy, right.yy, 1e-15);
  EXPECT_NEAR(joined.zz, right.zz, 1e-15);
  EXPECT_NEAR(joined.xy, right.xy, 1e-15);
  EXPECT_NEAR(joined.xz, right.xz, 1e-15);
  EXPECT_NEAR(joined.yz, right.yz, 1e-15);
}

TEST(nbody_moments, of_one_body_are_the_body) {
  const body one = {{1, 2, 3}, 0.5};
  const moments m = moments_of(std::span(&one, 1));
  const vector3 position = {0.5, 2.5, 1};
  const vector3 difference =
      acceleration_by(m, position, 0.01) - acceleration_by(one, position, 0.01);
  EXPECT_NEAR(length(difference), 0, 1e-16);
}

// The relative error is of the third order in the radius of the group over the distance.
TEST(nbody_moments, error_falls_with_the_third_power_of_the_distance) {
  for (const double softening_squared : {0.0, 1.0}) {
    for (const vector3& direction : {vector3{1, 0, 0}, vector3{-2, 1, 2}, vector3{0.1, -1, 3}}) {
      const double near = error_at(20 * direction, softening_squared);
      const double far = error_at(40 * direction, softening_squared);
      EXPECT_LT(near, 1e-3);
      EXPECT_NEAR(near / far, 8, 1.6) << direction.x << ' ' << softening_squared;
    }
  }
}

TEST(nbody_moments, acceleration_points_to_the_source) {
  const vector3 a = acceleration_by(body{{3, 0, 0}, 2}, {1, 0, 0}, 0);
  EXPECT_DOUBLE_EQ(a.x, 0.5);
  EXPECT_EQ(a.y, 0);
  EXPECT_EQ(a.z, 0);
}

TEST(nbody_fixed_vector, sums_do_not_depend_on_the_order) {
  fixed_vector forwards;
  fixed_vector backwards;
  for (int i = 1; i <= 100; ++i) forwards += vector3{1.0 / i, -1.0 / i, 1e-9 * i};
  for (int i = 100; i >= 1; --i) backwards += vector3{1.0 / i, -1.0 / i, 1e-9 * i};
  EXPECT_EQ(forwards, backwards);
  EXPECT_EQ(forwards.x, -forwards.y);
  EXPECT_NEAR(forwards.value().x, 5.187377517639621, 1e-13);
}

}  // namespace
}  // namespace examples::nbody::test::nbody_moments_test
