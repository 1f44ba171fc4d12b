// The arguments of a remote call as they travel. Plain arguments travel as their bytes, one after
// the other without gaps. If an argument has a serializer, all arguments of the call travel as the
// serializers write them.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/plain_value.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/item.hpp>
#include <boxcar/serializer.hpp>

namespace boxcar::detail {

// Returns whether a value of type T can travel as an argument or a result, and reports the problem.
template <typename T>
consteval bool require_argument() {
  if constexpr (std::is_trivially_copyable_v<T> && !serializable<T>) {
    require_plain<T>();
    return false;
  } else {
    require_serializable<T>();
    return serializable<T>;
  }
}

template <typename... T>
concept plain_arguments =
    (plain<T> && ...) && (sizeof(T) + ... + std::size_t{0}) <= largest_item_bytes;

// --- Plain arguments -----------------------------------------------------------------------------

// The bytes of several arguments. A single argument lies as a value, aligned: the function may get
// a reference to the argument in the buffer.
template <typename... T>
struct argument_pack {
  std::array<std::byte, (sizeof(T) + ...)> bytes;
};
template <typename T>
struct argument_pack<T> {
  T value;
};
template <>
struct argument_pack<> {
  std::byte nothing{};  // an object has a byte, which is sent
};

// Writes several arguments as argument_pack has them.
template <typename... T>
[[gnu::always_inline]] inline void put_arguments(std::byte* to, const T&... arguments) {
  ((std::memcpy(to, &arguments, sizeof(T)), to += sizeof(T)), ...);
}

// Calls `function` with the arguments.
template <typename... T, typename Function>
[[gnu::always_inline]] inline decltype(auto) apply_arguments(const argument_pack<T...>& pack,
                                                             Function& function) {
  if constexpr (sizeof...(T) == 0) {
    return function();
  } else if constexpr (sizeof...(T) == 1) {
    return function(pack.value);
  } else {
    constexpr auto offsets = [] {
      std::array<std::size_t, sizeof...(T)> all{};
      std::size_t offset = 0;
      std::size_t i = 0;
      ((all[i++] = offset, offset += sizeof(T)), ...);
      return all;
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
      return function(plain_value<T>(pack.bytes.data() + offsets[I])...);
    }(std::index_sequence_for<T...>{});
  }
}

// --- Arguments with serializers ------------------------------------------------------------------

template <typename... T>
void write_arguments(std::vector<std::byte>& to, const T&... arguments) {
  byte_writer out(to);
  (out.put(arguments), ...);
}

// Calls `function` with the arguments. `of`: the name of the function, for messages.
template <typename... T, typename Function>
decltype(auto) apply_written(std::span<const std::byte> bytes, std::string_view of,
                             Function& function) {
  byte_reader in(bytes, of);
  std::tuple<T...> arguments{in.get<T>()...};
  in.expect_end();
  return std::apply([&](T&... each) -> decltype(auto) { return function(std::move(each)...); },
                    arguments);
}

}  // namespace boxcar::detail
