// Compiles loops over rows for the sizes of numbers, and once for all other sizes.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace boxcar::python {

// Calls `use` with the size as a constant, or with 0 for other sizes.
template <typename Use>
void with_row_size(std::size_t bytes, const Use& use) {
  switch (bytes) {
    case 1:
      return use(std::integral_constant<std::size_t, 1>());
    case 2:
      return use(std::integral_constant<std::size_t, 2>());
    case 4:
      return use(std::integral_constant<std::size_t, 4>());
    case 8:
      return use(std::integral_constant<std::size_t, 8>());
    case 16:
      return use(std::integral_constant<std::size_t, 16>());
    default:
      return use(std::integral_constant<std::size_t, 0>());
  }
}

// `bytes` is `Bytes` unless `Bytes` is 0.
template <std::size_t Bytes>
void copy_row(std::byte* into, const std::byte* from, std::size_t bytes) {
  std::memcpy(into, from, Bytes != 0 ? Bytes : bytes);
}

}  // namespace boxcar::python
