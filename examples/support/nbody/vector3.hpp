// A vector of three doubles: a position, a velocity, or a force.
#pragma once

#include <cmath>

namespace examples::nbody {

struct vector3 {
  double x = 0;
  double y = 0;
  double z = 0;

  vector3& operator+=(const vector3& v) {
    x += v.x;
    y += v.y;
    z += v.z;
    return *this;
  }
  friend vector3 operator+(vector3 a, const vector3& b) { return a += b; }
  friend vector3 operator-(const vector3& a, const vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend vector3 operator*(double f, const vector3& v) { return {f * v.x, f * v.y, f * v.z}; }
  friend bool operator==(const vector3& a, const vector3& b) = default;
};

inline double dot(const vector3& a, const vector3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline double length(const vector3& v) {
  return std::sqrt(dot(v, v));
}

}  // namespace examples::nbody
