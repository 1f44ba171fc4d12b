// `holds_pointers` determines whether a type holds pointers, as far as possible: pointers have no
// meaning on another PE, unless the PE is a thread of the same process.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace boxcar {

// The variable may be specialised as true for a type of the client whose pointers have the same
// meaning on every destination, because all PEs are threads, or because the pointers come back to
// their own PE:
//
//   template <> inline constexpr bool boxcar::allow_pointers<my_item> = true;
template <typename T>
inline constexpr bool allow_pointers = false;

namespace detail {

template <typename T>
consteval bool holds_pointers();

// Whether a type is, or wraps, a pointer: also iterators.
template <typename T>
inline constexpr bool is_pointer_like =
    std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> ||
    std::input_or_output_iterator<T>;
template <typename Char, typename Traits>
inline constexpr bool is_pointer_like<std::basic_string_view<Char, Traits>> = true;
template <typename T, std::size_t Extent>
inline constexpr bool is_pointer_like<std::span<T, Extent>> = true;
template <typename T>
inline constexpr bool is_pointer_like<std::reference_wrapper<T>> = true;

// Whether a type may hold one of several types: a conversion from a value other than an alternative
// may convert to any alternative.
template <typename T>
inline constexpr bool is_choice = false;
template <typename T>
inline constexpr bool is_choice<std::optional<T>> = true;
template <typename... T>
inline constexpr bool is_choice<std::variant<T...>> = true;

template <typename T>
inline constexpr bool has_pointer_alternative = false;
template <typename T>
inline constexpr bool has_pointer_alternative<std::optional<T>> = holds_pointers<T>();
template <typename... T>
inline constexpr bool has_pointer_alternative<std::variant<T...>> = (holds_pointers<T>() || ...);

template <typename T>
inline constexpr bool is_array = std::is_array_v<T>;
template <typename T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <typename T>
concept like_a_tuple = requires { std::tuple_size<T>::value; };
template <typename T>
consteval bool has_pointer_element() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (holds_pointers<std::tuple_element_t<I, T>>() || ...);
  }(std::make_index_sequence<std::tuple_size_v<T>>{});
}

// Three types stand for a value where a field of Whole is initialised: `some_pointer` for anything
// that holds pointers, `allowed_pointer` for types with allowed pointers, `something` for a value
// that no type accepts. (Choices are made from `some_pointer` by their own constructors.)
template <typename Whole>
struct some_pointer {
  template <typename Field>
    requires(!std::same_as<Field, Whole> && !is_choice<Field> && holds_pointers<Field>())
  operator Field() const {
    std::abort();
  }
};
struct allowed_pointer {
  template <typename Field>
    requires(allow_pointers<Field>)
  operator Field() const {
    std::abort();
  }
};
struct something {};

// Returns which of the first 16 fields of an aggregate can be initialised by a V. Every {} ahead is
// one field, be it an array or a structure.
// clang-format off
template <typename T, typename V>
consteval auto fields_from() {
  return std::array{
      requires(V v) { T{v}; },
      requires(V v) { T{{}, v}; },
      requires(V v) { T{{}, {}, v}; },
      requires(V v) { T{{}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; },
      requires(V v) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, v}; }};
}
// clang-format on

// (A field that can be made from `something` can be made from anything.)
template <typename T>
consteval bool has_pointer_field() {
  constexpr auto pointers = fields_from<T, some_pointer<T>>();
  if constexpr (std::ranges::find(pointers, true) == pointers.end()) {
    return false;
  } else {
    constexpr auto anything = fields_from<T, something>();
    constexpr auto allowed = fields_from<T, allowed_pointer>();
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (pointers[i] && !anything[i] && !allowed[i]) return true;
    }
    return false;
  }
}

// Returns whether T holds pointers. Private fields, and fields behind the 16th, are not seen.
template <typename T>
consteval bool holds_pointers() {
  if constexpr (allow_pointers<T> || std::is_void_v<T> || std::is_function_v<T>) {
    return false;
  } else if constexpr (is_array<T>) {  // of any number of elements
    return holds_pointers<std::remove_cvref_t<decltype(std::declval<T&>()[0])>>();
  } else if constexpr (is_choice<T>) {
    return has_pointer_alternative<T>;
  } else if constexpr (is_pointer_like<T>) {
    return true;
  } else if constexpr (like_a_tuple<T>) {
    return has_pointer_element<T>();
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    return has_pointer_field<T>();
  } else {
    return false;
  }
}

}  // namespace detail

}  // namespace boxcar
