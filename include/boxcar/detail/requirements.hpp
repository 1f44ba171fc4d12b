// The header defines the requirements on the types and functions of a client, and the messages of
// the compiler if they are not met.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/item_handler.hpp>
#include <boxcar/item.hpp>

namespace boxcar::detail {

template <typename T>
inline constexpr bool is_pair_or_tuple = false;
template <typename A, typename B>
inline constexpr bool is_pair_or_tuple<std::pair<A, B>> = true;
template <typename... T>
inline constexpr bool is_pair_or_tuple<std::tuple<T...>> = true;

template <typename T, typename Combine>
inline constexpr bool can_be_combined = std::is_invocable_r_v<T, Combine&, const T&, const T&>;
template <typename T>
inline constexpr bool can_be_combined<T, std::plus<T>> = requires(const T& a, const T& b) {
  { a + b } -> std::convertible_to<T>;
};

template <typename T>
inline constexpr bool is_string_or_vector = false;
template <typename Char, typename Traits, typename Memory>
inline constexpr bool is_string_or_vector<std::basic_string<Char, Traits, Memory>> = true;
template <typename T, typename Memory>
inline constexpr bool is_string_or_vector<std::vector<T, Memory>> = true;

template <typename T>
concept plain = std::is_trivially_copyable_v<T> && !holds_pointers<T>();

// Reports a type whose values cannot travel as bytes, once for each mistake.
template <typename T>
constexpr void require_plain() {
  static_assert(!is_pair_or_tuple<T>,
                "std::pair and std::tuple are not trivially copyable: use a struct of such fields");
  static_assert(
      is_pair_or_tuple<T> || std::is_trivially_copyable_v<T>,
      "the type is not trivially copyable: its bytes alone cannot be sent; use a struct of "
      "plain fields");
  static_assert(!std::is_trivially_copyable_v<T> || !holds_pointers<T>(),
                "the type holds pointers, which mean nothing on another PE: send values or indices "
                "(where pointers do mean the same, specialise boxcar::allow_pointers as true)");
}

// As require_plain, for the items of conveyors, streams and `exchange`.
template <typename T>
constexpr void require_item() {
  static_assert(!is_string_or_vector<T>,
                "strings and vectors have no fixed size: use boxcar::exchange with them, an "
                "elastic_conveyor, or a stream of arrays");
  static_assert(sizeof(T) <= largest_item_bytes,
                "an item has at most 65536 bytes: send larger ones by an elastic_conveyor, or in "
                "pieces");
  if constexpr (!is_string_or_vector<T>) require_plain<T>();
}

// For a static_assert in a class.
template <typename T>
inline constexpr bool requires_item = (require_item<T>(), true);

}  // namespace boxcar::detail
