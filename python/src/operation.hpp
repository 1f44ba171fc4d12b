// Combinations of a value in a table and an arriving value.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <boxcar/error.hpp>

namespace boxcar::python {

template <typename T>
constexpr bool is_complex = false;
template <typename T>
constexpr bool is_complex<std::complex<T>> = true;

// Integers wrap around, as NumPy's do; NaNs stay.
struct add {
  template <typename T>
  static constexpr bool allows = true;
  template <typename T>
  static T apply(T a, T b) {
    if constexpr (std::same_as<T, bool>) {
      return a || b;
    } else if constexpr (std::integral<T>) {
      using wrapping = std::make_unsigned_t<T>;
      return static_cast<T>(
          static_cast<wrapping>(static_cast<wrapping>(a) + static_cast<wrapping>(b)));
    } else {
      return a + b;
    }
  }
};
struct smaller {
  template <typename T>
  static constexpr bool allows = !is_complex<T>;
  template <typename T>
  static T apply(T a, T b) {
    return b < a || b != b ? b : a;
  }
};
struct larger {
  template <typename T>
  static constexpr bool allows = !is_complex<T>;
  template <typename T>
  static T apply(T a, T b) {
    return a < b || b != b ? b : a;
  }
};
struct either {
  template <typename T>
  static constexpr bool allows = std::integral<T>;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct both {
  template <typename T>
  static constexpr bool allows = std::integral<T>;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct differing {
  template <typename T>
  static constexpr bool allows = std::integral<T>;
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <typename Use>
auto with_operation(std::string_view name, const Use& use) {
  if (name == "sum") return use(add());
  if (name == "min") return use(smaller());
  if (name == "max") return use(larger());
  if (name == "or") return use(either());
  if (name == "and") return use(both());
  if (name == "xor") return use(differing());
  throw argument_error("the operation is \"" + std::string(name) +
                       "\": give \"sum\", \"min\", \"max\", \"or\", \"and\" or \"xor\"");
}

[[noreturn]] inline void refuse_operation(std::string_view name, std::string_view type) {
  throw argument_error("\"" + std::string(name) + "\" of elements of type " + std::string(type) +
                       " has no meaning");
}

}  // namespace boxcar::python
