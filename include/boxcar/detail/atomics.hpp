// The atomic operations that a PE may do on elements of another, which are the same whether it does
// them itself or the other one on its behalf.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace boxcar::detail {

enum class atomic_operation : std::uint32_t { load, store, add, fetch_or, swap, compare_swap };

template <typename T>
concept atomic_element = std::is_trivially_copyable_v<T> &&
                         (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
template <typename T>
concept atomic_number = atomic_element<T> && std::integral<T> && !std::same_as<T, bool>;

// Returns what the element was. What was done before is seen by whoever reads the element after.
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_add(T& element, T value) {
  return std::atomic_ref(element).fetch_add(value, std::memory_order_acq_rel);
}
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_or(T& element, T value) {
  // fetch_or, which on x86-64 is this loop, too; but GCC 12 forgets the `or` in it where it is
  // inlined behind other atomic operations (tests/one_sided/window_test.cpp found it).
  const std::atomic_ref shared(element);
  T was = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(was, static_cast<T>(was | value), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
  }
  return was;
}
template <atomic_element T>
[[gnu::always_inline]] inline T atomic_swap(T& element, T value) {
  return std::atomic_ref(element).exchange(value, std::memory_order_acq_rel);
}
// `value` replaces it if it is `expected`.
template <atomic_element T>
[[gnu::always_inline]] inline T atomic_compare_swap(T& element, T expected, T value) {
  std::atomic_ref(element).compare_exchange_strong(expected, value, std::memory_order_acq_rel,
                                                   std::memory_order_acquire);
  return expected;
}
template <atomic_element T>
[[gnu::always_inline]] inline T atomic_load(T& element) {
  return std::atomic_ref(element).load(std::memory_order_acquire);
}
template <atomic_element T>
[[gnu::always_inline]] inline void atomic_store(T& element, T value) {
  std::atomic_ref(element).store(value, std::memory_order_release);
}

}  // namespace boxcar::detail
