// An item is a value that can travel between PEs as bytes.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <type_traits>

#include <boxcar/detail/holds_pointers.hpp>

namespace boxcar {

// The maximum size of an item in bytes.
inline constexpr std::size_t largest_item_bytes = 65536;

// An item: plain bytes, 1 to 65536 of them, that mean the same on every PE.
template <typename T>
concept item = !std::is_void_v<T> && std::is_trivially_copyable_v<T> &&
               sizeof(T) <= largest_item_bytes && !detail::holds_pointers<T>();

}  // namespace boxcar
