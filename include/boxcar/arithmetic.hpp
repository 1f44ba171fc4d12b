// The header defines the types of numbers and the arithmetic that adapters (docs/triggers.md) and
// networks apply to memory without a PE.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace boxcar {

enum class number_type : std::uint8_t {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

template <typename T>
  requires std::is_arithmetic_v<T>
consteval number_type number_type_of() {
  static_assert(!std::is_same_v<T, bool>, "bool is no number");
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "floating-point numbers have 4 or 8 bytes");
    return sizeof(T) == 4 ? number_type::float32 : number_type::float64;
  } else {
    static_assert(sizeof(T) <= 8, "integers have 1, 2, 4 or 8 bytes");
    constexpr int size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<number_type>(2 * size + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

// The operation that combines a number in memory with the operand. The operations on bits are for
// integers.
enum class arithmetic : std::uint8_t {
  sum,
  product,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  logical_xor
};

// The smaller and the larger of two values. Floating-point numbers follow IEEE 754-2019: if an
// operand is NaN, the result is NaN, and -0 is less than +0; so the order in which many values are
// combined does not matter.
struct minimum {
  template <typename T>
  constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return __builtin_signbit(a) ? a : b;
    }
    return b < a ? b : a;
  }
};
struct maximum {
  template <typename T>
  constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return __builtin_signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
};

}  // namespace boxcar
