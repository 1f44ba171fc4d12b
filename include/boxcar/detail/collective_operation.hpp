// The header lists the collectives, and describes the elements of a program for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>

#include <boxcar/arithmetic.hpp>
#include <boxcar/detail/collectives.hpp>
#include <boxcar/detail/combination_of_elements.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

enum class collective_operation : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  all_reduce,
  scatter,
  gather,
  all_gather,
  all_to_all,
  reduce_scatter,
  scan,
  exclusive_scan,
  neighbor_all_to_all
};

// Returns the arithmetic by which the adapter combines numbers as `Combine` does, if there is any.
template <typename T, typename Combine>
constexpr std::optional<arithmetic> arithmetic_of() {
  constexpr auto is = [](auto... any) { return (std::is_same_v<Combine, decltype(any)> || ...); };
  constexpr bool is_float = std::is_floating_point_v<T>;
  constexpr bool is_known = sizeof(T) <= 8 && (!is_float || sizeof(T) >= 4);
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && is_known) {
    if (is(std::plus<T>{}, std::plus<>{})) return arithmetic::sum;
    if (is(std::multiplies<T>{}, std::multiplies<>{})) return arithmetic::product;
    if (is(minimum{})) return arithmetic::minimum;
    if (is(maximum{})) return arithmetic::maximum;
    if (is(std::bit_and<T>{}, std::bit_and<>{})) return arithmetic::bit_and;
    if (is(std::bit_or<T>{}, std::bit_or<>{})) return arithmetic::bit_or;
    if (is(std::bit_xor<T>{}, std::bit_xor<>{})) return arithmetic::bit_xor;
    if (is(std::logical_and<T>{}, std::logical_and<>{})) return arithmetic::logical_and;
    if (is(std::logical_or<T>{}, std::logical_or<>{})) return arithmetic::logical_or;
  }
  return std::nullopt;
}

template <typename T>
consteval bool require_element() {
  require_plain<T>();
  static_assert(alignof(T) <= 64, "elements lie on boundaries of at most 64 bytes");
  return true;
}

template <typename T, typename Combine>
combination_of_elements combination_by(Combine combine) {
  static_assert(can_be_combined<T, Combine>,
                "`combine` must be callable with two elements, and return one; of a type without + "
                "say how elements are to be combined");
  combination_of_elements made{.element_bytes = sizeof(T)};
  if constexpr (arithmetic_of<T, Combine>().has_value()) {
    made.numbers = {number_type_of<T>(), *arithmetic_of<T, Combine>()};
  } else {
    made.function = [combine](std::byte* into, const std::byte* left, const std::byte* right,
                              std::size_t n) mutable {
      auto* const result = reinterpret_cast<T*>(into);
      const auto* const a = reinterpret_cast<const T*>(left);
      const auto* const b = reinterpret_cast<const T*>(right);
      for (std::size_t i = 0; i < n; ++i) result[i] = combine(a[i], b[i]);
    };
  }
  return made;
}

// Returns the bytes of a span that the program gives to be written to.
template <typename T, std::size_t N>
std::span<std::byte> writable(std::span<T, N> elements) {
  static_assert(!std::is_const_v<T>, "the span is written to: its elements must not be const");
  return std::as_writable_bytes(elements);
}

}  // namespace boxcar::detail
