// The expansion of the gravity of a group of bodies: mass, center of mass and second moments, which
// is the quadrupole order. The dipole about the center of mass is zero, so the relative error of
// the acceleration at the distance r of a group of radius a is of the order (a / r)^3.
#pragma once

#include <span>

#include "support/nbody/particle.hpp"

namespace examples::nbody {

struct moments {
  double mass = 0;
  vector3 center;
  // Second moments about the center: sums of mass * x * x, and so on.
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

// Returns the moments of bodies. Precondition: there is a body.
[[nodiscard]] moments moments_of(std::span<const body> bodies);

// Returns the moments of groups, by Steiner's theorem. Precondition: there is a group.
[[nodiscard]] moments moments_of(std::span<const moments> groups);

// Returns the acceleration by a body at a position. The potential of a body of mass m at the
// distance r is -m / sqrt(r^2 + softening^2).
[[nodiscard]] inline vector3 acceleration_by(const body& source, const vector3& position,
                                             double softening_squared) {
  const vector3 r = source.position - position;
  const double inverse = 1 / (dot(r, r) + softening_squared);
  return source.mass * inverse * std::sqrt(inverse) * r;
}

// Returns the acceleration by a group at a position: the Taylor series, up to the second order, of
// the potential above.
[[nodiscard]] inline vector3 acceleration_by(const moments& m, const vector3& position,
                                             double softening_squared) {
  const vector3 r = position - m.center;
  const double inverse = 1 / (dot(r, r) + softening_squared);
  const double third = inverse * std::sqrt(inverse);
  const double fifth = third * inverse;
  const vector3 moment_times_r = {m.xx * r.x + m.xy * r.y + m.xz * r.z,
                                  m.xy * r.x + m.yy * r.y + m.yz * r.z,
                                  m.xz * r.x + m.yz * r.y + m.zz * r.z};
  const double trace = m.xx + m.yy + m.zz;
  const double radial =
      -m.mass * third + (1.5 * trace - 7.5 * dot(r, moment_times_r) * inverse) * fifth;
  return radial * r + 3 * fifth * moment_times_r;
}

}  // namespace examples::nbody
