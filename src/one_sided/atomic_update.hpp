// Atomic operations on an element of a window, chosen by number when a request arrives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <boxcar/detail/atomics.hpp>
#include <boxcar/detail/window_core.hpp>

namespace boxcar::detail {

struct operands {
  std::array<std::byte, 8> value;
  std::array<std::byte, 8> expected;
};

template <typename T>
T apply_as(atomic_operation what, std::byte* at, const operands& by) {
  T& element = *reinterpret_cast<T*>(at);
  T value;
  T expected;
  std::memcpy(&value, by.value.data(), sizeof value);
  std::memcpy(&expected, by.expected.data(), sizeof expected);
  switch (what) {
    case atomic_operation::load:
      return atomic_load(element);
    case atomic_operation::store:
      atomic_store(element, value);
      return value;
    case atomic_operation::add:
      return atomic_add(element, value);
    case atomic_operation::fetch_or:
      return atomic_or(element, value);
    case atomic_operation::swap:
      return atomic_swap(element, value);
    case atomic_operation::compare_swap:
      return atomic_compare_swap(element, expected, value);
    case atomic_operation::fetch_and:
      return atomic_and(element, value);
    case atomic_operation::fetch_xor:
      return atomic_xor(element, value);
  }
  return value;
}

// `before` receives the former value of the element.
inline void apply(atomic_operation what, std::byte* at, std::size_t bytes, const operands& by,
                  std::byte* before) {
  const auto as = [&]<typename T>(T) {
    const T was = apply_as<T>(what, at, by);
    if (before != nullptr) std::memcpy(before, &was, sizeof was);
  };
  switch (bytes) {
    case 1:
      return as(std::uint8_t{});
    case 2:
      return as(std::uint16_t{});
    case 4:
      return as(std::uint32_t{});
    default:
      return as(std::uint64_t{});
  }
}

}  // namespace boxcar::detail
