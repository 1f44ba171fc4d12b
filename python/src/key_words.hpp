// Keys as hash tables compare them: numbers as words of 64 bits, and other keys as rows of bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace boxcar::python {

// Equal keys have the same word; so do 0.0 and -0.0, and all NaNs.
template <typename T>
std::uint64_t word_of_key(T key) {
  if constexpr (std::is_floating_point_v<T>) {
    if (key != key) return ~std::uint64_t(0);  // all bits set for a NaN
    const double all = key == 0 ? 0.0 : static_cast<double>(key);
    return std::bit_cast<std::uint64_t>(all);
  } else {
    return static_cast<std::uint64_t>(key);
  }
}

// The inverse of `word_of_key`: returns 0.0 for both zeros, and one NaN for all NaNs.
template <typename T>
T key_of_word(std::uint64_t word) {
  if constexpr (std::is_floating_point_v<T>) {
    if (word == ~std::uint64_t(0)) return std::numeric_limits<T>::quiet_NaN();
    return static_cast<T>(std::bit_cast<double>(word));
  } else {
    return static_cast<T>(word);
  }
}

// The number of bytes of a row up to the last byte that is not zero. Zeros at the end of a row do
// not count, so that a text is the same key whatever the width of its array.
inline std::size_t used_bytes(const std::byte* row, std::size_t bytes) {
  while (bytes >= 8) {
    std::uint64_t word;
    std::memcpy(&word, row + bytes - 8, 8);
    if (word != 0) break;
    bytes -= 8;
  }
  while (bytes != 0 && row[bytes - 1] == std::byte{0}) --bytes;
  return bytes;
}

}  // namespace boxcar::python
