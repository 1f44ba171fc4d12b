// Unsigned words in the order of numbers.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace boxcar::python {

template <std::size_t Bytes>
using word_of_size = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <typename T>
using word_of = word_of_size<sizeof(T)>;

template <typename Word>
constexpr Word sign = static_cast<Word>(Word(1) << (std::numeric_limits<Word>::digits - 1));

// Words are ordered as the numbers are; a NaN with a sign is the last.
template <typename T>
word_of<T> to_word(T number) {
  using word = word_of<T>;
  if constexpr (std::floating_point<T>) {
    const auto bits = std::bit_cast<word>(number);
    if (number != number) return bits | sign<word>;
    // No branch depends on the sign, which a processor could not foresee.
    const word ones_if_negative = word(0) - (bits >> (std::numeric_limits<word>::digits - 1));
    return bits ^ (ones_if_negative | sign<word>);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<word>(static_cast<word>(number) ^ sign<word>);
  } else {
    return static_cast<word>(number);
  }
}
template <typename T>
T to_number(word_of<T> word) {
  if constexpr (std::floating_point<T>) {
    const auto bits = (word & sign<word_of<T>>) != 0
                          ? static_cast<word_of<T>>(word ^ sign<word_of<T>>)
                          : static_cast<word_of<T>>(~word);
    return std::bit_cast<T>(bits);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(word ^ sign<word_of<T>>);
  } else {
    return static_cast<T>(word);
  }
}

// One number represents all equal keys: -0.0 is equal to 0.0, and a NaN to every NaN, of any sign
// and payload.
template <typename T>
T representative(T number) {
  if constexpr (std::floating_point<T>) {
    if (number != number) return std::numeric_limits<T>::quiet_NaN();
    return number + T();  // -0.0 becomes 0.0
  } else {
    return number;
  }
}

}  // namespace boxcar::python
