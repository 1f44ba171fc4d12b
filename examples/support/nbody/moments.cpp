#include "support/nbody/moments.hpp"

namespace examples::nbody {
namespace {

// Adds the second moments of a mass at a distance from the center.
void add_second_moments(moments& sum, double mass, const vector3& distance) {
  const vector3 weighted = mass * distance;
  sum.xx += weighted.x * distance.x;
  sum.yy += weighted.y * distance.y;
  sum.zz += weighted.z * distance.z;
  sum.xy += weighted.x * distance.y;
  sum.xz += weighted.x * distance.z;
  sum.yz += weighted.y * distance.z;
}

}  // namespace

moments moments_of(std::span<const body> bodies) {
  moments sum;
  for (const body& b : bodies) {
    sum.mass += b.mass;
    sum.center += b.mass * b.position;
  }
  sum.center = (1 / sum.mass) * sum.center;
  for (const body& b : bodies) add_second_moments(sum, b.mass, b.position - sum.center);
  return sum;
}

moments moments_of(std::span<const moments> groups) {
  moments sum;
  for (const moments& g : groups) {
    sum.mass += g.mass;
    sum.center += g.mass * g.center;
  }
  sum.center = (1 / sum.mass) * sum.center;
  for (const moments& g : groups) {
    sum.xx += g.xx;
    sum.yy += g.yy;
    sum.zz += g.zz;
    sum.xy += g.xy;
    sum.xz += g.xz;
    sum.yz += g.yz;
    add_second_moments(sum, g.mass, g.center - sum.center);
  }
  return sum;
}

}  // namespace examples::nbody
