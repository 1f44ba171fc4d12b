// A plain value is read from its bytes, wherever the bytes lie. The type of the value needs no
// default, or, for `use_plain_value`, no copy.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace boxcar::detail {

// Precondition: T is trivially copyable, and `from` points to sizeof(T) bytes of a T, of any
// alignment.
template <typename T>
[[nodiscard, gnu::always_inline]] inline T plain_value(const std::byte* from) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  return std::bit_cast<T>(bytes);
}

// Calls `use` with such a value.
template <typename T, typename Use>
[[gnu::always_inline]] inline void use_plain_value(const std::byte* from, const Use& use) {
  if constexpr (std::is_default_constructible_v<T>) {
    T value;
    std::memcpy(&value, from, sizeof value);
    use(std::as_const(value));
  } else {
    use(plain_value<T>(from));
  }
}

}  // namespace boxcar::detail
