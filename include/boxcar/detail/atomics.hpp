// The header defines the atomic operations of a PE on elements of another PE, the same for both
// paths: the PE operates directly, or the other PE executes a request.
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace boxcar::detail {

enum class atomic_operation : std::uint32_t {
  load,
  store,
  add,
  fetch_or,
  swap,
  compare_swap,
  fetch_and,
  fetch_xor
};

template <typename T>
concept atomic_element = std::is_trivially_copyable_v<T> &&
                         (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
template <typename T>
concept atomic_number = atomic_element<T> && std::integral<T> && !std::same_as<T, bool>;

// Returns the former value of the element. Acquire and release: writes before the operation are
// visible to readers of the element after the operation.
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_add(T& element, T value) {
  return std::atomic_ref(element).fetch_add(value, std::memory_order_acq_rel);
}
// The loop is fetch_or and so on, and on x86-64 the same code; but GCC 12 forgets the `or` of a
// fetch_or that is inlined behind other atomic operations (found by
// tests/one_sided/window_test.cpp).
template <atomic_number T, typename Change>
[[gnu::always_inline]] inline T atomic_change(T& element, const Change& change) {
  const std::atomic_ref shared(element);
  T was = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(was, change(was), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
  }
  return was;
}
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_or(T& element, T value) {
  return atomic_change(element, [value](T was) { return static_cast<T>(was | value); });
}
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_and(T& element, T value) {
  return atomic_change(element, [value](T was) { return static_cast<T>(was & value); });
}
template <atomic_number T>
[[gnu::always_inline]] inline T atomic_xor(T& element, T value) {
  return atomic_change(element, [value](T was) { return static_cast<T>(was ^ value); });
}

// A word has the size of T. Elements that are less aligned than a word are read and written as a
// word: elements of windows lie on word boundaries.
template <std::size_t Bytes>
struct word_of_bytes;
template <>
struct word_of_bytes<1> {
  using type [[gnu::may_alias]] = std::uint8_t;
};
template <>
struct word_of_bytes<2> {
  using type [[gnu::may_alias]] = std::uint16_t;
};
template <>
struct word_of_bytes<4> {
  using type [[gnu::may_alias]] = std::uint32_t;
};
template <>
struct word_of_bytes<8> {
  using type [[gnu::may_alias]] = std::uint64_t;
};
template <typename T>
inline constexpr bool is_word = alignof(T) >= sizeof(T);

// Clang 16 splits an atomic store into two if the value consists of a float and an integer, unless
// the store is volatile as well.
template <int Order, atomic_element T>
[[gnu::always_inline]] inline void store_as_word(T& element, const T& value) {
  using word = typename word_of_bytes<sizeof(T)>::type;
  __atomic_store_n(reinterpret_cast<volatile word*>(&element), std::bit_cast<word>(value), Order);
}

template <atomic_element T>
[[gnu::always_inline]] inline T atomic_swap(T& element, T value) {
  if constexpr (is_word<T>) {
    return std::atomic_ref(element).exchange(value, std::memory_order_acq_rel);
  } else {
    using word = typename word_of_bytes<sizeof(T)>::type;
    return std::bit_cast<T>(__atomic_exchange_n(reinterpret_cast<word*>(&element),
                                                std::bit_cast<word>(value), __ATOMIC_ACQ_REL));
  }
}
// Replaces the element by `value` if the element equals `expected`. Returns the former value.
template <atomic_element T>
[[gnu::always_inline]] inline T atomic_compare_swap(T& element, T expected, T value) {
  if constexpr (is_word<T>) {
    std::atomic_ref(element).compare_exchange_strong(expected, value, std::memory_order_acq_rel,
                                                     std::memory_order_acquire);
    return expected;
  } else {
    using word = typename word_of_bytes<sizeof(T)>::type;
    auto was = std::bit_cast<word>(expected);
    __atomic_compare_exchange_n(reinterpret_cast<word*>(&element), &was, std::bit_cast<word>(value),
                                false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return std::bit_cast<T>(was);
  }
}
template <atomic_element T>
[[gnu::always_inline]] inline T atomic_load(const T& element) {
  if constexpr (is_word<T>) {
    return std::atomic_ref(const_cast<T&>(element)).load(std::memory_order_acquire);
  } else {
    using word = typename word_of_bytes<sizeof(T)>::type;
    return std::bit_cast<T>(
        __atomic_load_n(reinterpret_cast<const word*>(&element), __ATOMIC_ACQUIRE));
  }
}
template <atomic_element T>
[[gnu::always_inline]] inline void atomic_store(T& element, T value) {
  store_as_word<__ATOMIC_RELEASE>(element, value);
}

// Plain puts and gets of one element. An element with atomic operations is written and read as one
// word, so that concurrent loads of the element never see a torn value; the order with other
// elements is the order of plain memory (relaxed).
template <typename T>
[[gnu::always_inline]] inline void write_whole(T& element, const T& value) {
  if constexpr (!atomic_element<T>) {
    element = value;
  } else {
    store_as_word<__ATOMIC_RELAXED>(element, value);
  }
}
template <typename T>
[[nodiscard, gnu::always_inline]] inline T read_whole(const T& element) {
  if constexpr (!atomic_element<T>) {
    return element;
  } else if constexpr (is_word<T>) {
    return std::atomic_ref(const_cast<T&>(element)).load(std::memory_order_relaxed);
  } else {
    using word = typename word_of_bytes<sizeof(T)>::type;
    return std::bit_cast<T>(
        __atomic_load_n(reinterpret_cast<const word*>(&element), __ATOMIC_RELAXED));
  }
}

}  // namespace boxcar::detail
