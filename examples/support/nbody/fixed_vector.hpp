// Sums of accelerations in fixed-point numbers. Sums of integers are the same in any order, so that
// the acceleration of a particle does not depend on the order in which messages arrive, nor on the
// number of PEs; and a pair of particles of one mass has opposite accelerations exactly.
#pragma once

#include <cstdint>

#include "support/nbody/vector3.hpp"

namespace examples::nbody {

// The unit is 2^-50, so that the range is from -8192 to 8192. Precondition of the sums: the mass of
// all bodies is 1 and the softening 0.01 or more, which keeps accelerations below 3900.
struct fixed_vector {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  static constexpr double units = 0x1p50;

  fixed_vector& operator+=(const vector3& v) {
    x += static_cast<std::int64_t>(v.x * units);
    y += static_cast<std::int64_t>(v.y * units);
    z += static_cast<std::int64_t>(v.z * units);
    return *this;
  }
  fixed_vector& operator+=(const fixed_vector& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    return *this;
  }
  friend fixed_vector operator+(fixed_vector a, const fixed_vector& b) { return a += b; }
  friend bool operator==(const fixed_vector& a, const fixed_vector& b) = default;

  [[nodiscard]] vector3 value() const {
    constexpr double unit = 1 / units;
    return {unit * static_cast<double>(x), unit * static_cast<double>(y),
            unit * static_cast<double>(z)};
  }
};

}  // namespace examples::nbody
