// The operators of reductions on arrays of elements.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <type_traits>

#include <boxcar/openshmem-c/shmem.h>

namespace boxcar::openshmem_c {

// std::complex has the layout of the complex types of C, and operators that C++ knows.
template <typename T>
struct arithmetic_of {
  using type = T;
};
template <>
struct arithmetic_of<boxcar_shmem_complexf> {
  using type = std::complex<float>;
};
template <>
struct arithmetic_of<boxcar_shmem_complexd> {
  using type = std::complex<double>;
};

// Combines each of n elements of `into` with the element of `next`.
template <typename T, typename Operator>
void combine_elements(void* into, const void* next, std::size_t n) {
  using element = typename arithmetic_of<T>::type;
  auto* const a = static_cast<element*>(into);
  const auto* const b = static_cast<const element*>(next);
  for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<element>(Operator{}(a[i], b[i]));
}

// The operators, with the suffixes that name them in functions.
struct operator_and {
  auto operator()(auto a, auto b) const { return a & b; }
};
struct operator_or {
  auto operator()(auto a, auto b) const { return a | b; }
};
struct operator_xor {
  auto operator()(auto a, auto b) const { return a ^ b; }
};
struct operator_max {
  auto operator()(auto a, auto b) const { return std::max(a, b); }
};
struct operator_min {
  auto operator()(auto a, auto b) const { return std::min(a, b); }
};
// Unsigned integers wrap around; smaller ones than int would become int.
template <typename T>
using without_overflow = std::conditional_t<std::is_integral_v<T>, unsigned long long, T>;
struct operator_sum {
  template <typename T>
  auto operator()(T a, T b) const {
    using wide = without_overflow<T>;
    return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
  }
};
struct operator_prod {
  template <typename T>
  auto operator()(T a, T b) const {
    using wide = without_overflow<T>;
    return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
  }
};

}  // namespace boxcar::openshmem_c
