#include "support/nbody/cube.hpp"

#include <algorithm>
#include <cmath>

namespace examples::nbody {
namespace {

// Puts two zero bits between the 21 bits of a number.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

// The inverse of `spread`, for a number with other bits between the bits.
std::uint64_t gather(std::uint64_t x) {
  x &= 0x1249249249249249;
  x = (x | x >> 2) & 0x10c30c30c30c30c3;
  x = (x | x >> 4) & 0x100f00f00f00f00f;
  x = (x | x >> 8) & 0x1f0000ff0000ff;
  x = (x | x >> 16) & 0x1f00000000ffff;
  return (x | x >> 32) & 0x1fffff;
}

}  // namespace

std::uint64_t cube::key_of(const vector3& position) const {
  constexpr double steps = 1 << max_level;
  const auto step_of = [this](double x) {
    const double step = (x / half_width + 1) * (steps / 2);
    return static_cast<std::uint64_t>(std::clamp(step, 0.0, steps - 1));
  };
  return spread(step_of(position.x)) << 2 | spread(step_of(position.y)) << 1 |
         spread(step_of(position.z));
}

double cube::width(const cell_place& cell) const {
  return std::ldexp(2 * half_width, -cell.level);
}

vector3 cube::center(const cell_place& cell) const {
  const double half = width(cell) / 2;
  const double step = width({0, max_level});
  const auto middle = [&](std::uint64_t bits) {
    return static_cast<double>(gather(bits)) * step - half_width + half;
  };
  return {middle(cell.first >> 2), middle(cell.first >> 1), middle(cell.first)};
}

cube cube_around(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return {std::ldexp(1.0, exponent)};
}

}  // namespace examples::nbody
