#include "trigger/numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

template <typename T>
T loaded(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Sums and products of integers wrap around: unsigned 64-bit arithmetic avoids signed overflow and
// integer promotion.
template <typename T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}
template <typename T>
T product_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename T>
T bits_of(arithmetic how, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (how == arithmetic::bit_and) return static_cast<T>(a & b);
    if (how == arithmetic::bit_or) return static_cast<T>(a | b);
    return static_cast<T>(a ^ b);
  } else {
    return a;  // was refused
  }
}

template <typename T>
T combined(arithmetic how, T there, T sent) {
  const bool a = there != T{};
  const bool b = sent != T{};
  switch (how) {
    case arithmetic::sum:
      return sum_of(there, sent);
    case arithmetic::product:
      return product_of(there, sent);
    case arithmetic::minimum:
      return minimum{}(there, sent);
    case arithmetic::maximum:
      return maximum{}(there, sent);
    case arithmetic::logical_and:
      return static_cast<T>(a && b);
    case arithmetic::logical_or:
      return static_cast<T>(a || b);
    case arithmetic::logical_xor:
      return static_cast<T>(a != b);
    default:
      return bits_of(how, there, sent);
  }
}

template <typename T>
T masked(T there, T sent, T mask) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>((there & ~mask) | (sent & mask));
  } else {
    return there;  // was refused
  }
}

template <typename T>
T swapped(swap_rule rule, T there, T sent, T operand) {
  switch (rule) {
    case swap_rule::always:
      return sent;
    case swap_rule::if_equal:
      return operand == there ? sent : there;
    case swap_rule::if_not_equal:
      return operand != there ? sent : there;
    case swap_rule::if_less:
      return operand < there ? sent : there;
    case swap_rule::if_less_or_equal:
      return operand <= there ? sent : there;
    case swap_rule::if_greater:
      return operand > there ? sent : there;
    case swap_rule::if_greater_or_equal:
      return operand >= there ? sent : there;
    case swap_rule::masked:
      return masked(there, sent, operand);
  }
  return there;
}

// Calls `action` with a compile-time constant, so that loops contain no branches.
template <arithmetic How>
using constant = std::integral_constant<arithmetic, How>;
template <typename Action>
void with(arithmetic how, const Action& action) {
  switch (how) {
    case arithmetic::sum:
      return action(constant<arithmetic::sum>());
    case arithmetic::product:
      return action(constant<arithmetic::product>());
    case arithmetic::minimum:
      return action(constant<arithmetic::minimum>());
    case arithmetic::maximum:
      return action(constant<arithmetic::maximum>());
    case arithmetic::bit_and:
      return action(constant<arithmetic::bit_and>());
    case arithmetic::bit_or:
      return action(constant<arithmetic::bit_or>());
    case arithmetic::bit_xor:
      return action(constant<arithmetic::bit_xor>());
    case arithmetic::logical_and:
      return action(constant<arithmetic::logical_and>());
    case arithmetic::logical_or:
      return action(constant<arithmetic::logical_or>());
    case arithmetic::logical_xor:
      return action(constant<arithmetic::logical_xor>());
  }
}

// Replaces each number by `value_of(there, sent)`.
template <typename T, typename Value>
void replace(std::byte* there, const std::byte* sent, std::byte* before, std::size_t bytes,
             const Value& value_of) {
  if (before == nullptr) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
      const T is = value_of(loaded<T>(there + at), loaded<T>(sent + at));
      std::memcpy(there + at, &is, sizeof is);
    }
    return;
  }
  for (std::size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    const T was = loaded<T>(there + at);
    const T is = value_of(was, loaded<T>(sent + at));
    std::memcpy(there + at, &is, sizeof is);
    std::memcpy(before + at, &was, sizeof was);
  }
}

}  // namespace

std::size_t bytes_of(number_type type) {
  std::size_t bytes = 0;
  call_with_number(type, [&bytes](auto number) { bytes = sizeof number; });
  if (bytes == 0) {
    throw argument_error("there is no number_type " + std::to_string(static_cast<int>(type)) +
                         ": give one of the enumerators");
  }
  return bytes;
}

bool is_integer(number_type type) {
  return type < number_type::float32;
}

bool can_combine(number_type type, arithmetic how) {
  if (how > arithmetic::logical_xor) {
    throw argument_error("there is no arithmetic " + std::to_string(static_cast<int>(how)) +
                         ": give one of the enumerators");
  }
  return is_integer(type) || how < arithmetic::bit_and || how > arithmetic::bit_xor;
}

void combine(const number_rule& rule, std::byte* there, const std::byte* sent, std::byte* before,
             std::size_t bytes) {
  call_with_number(rule.type, [&]<typename T>(T) {
    with(rule.how, [&]<arithmetic How>(constant<How>) {
      replace<T>(there, sent, before, bytes, [](T was, T by) { return combined(How, was, by); });
    });
  });
}

void swap_numbers(const number_rule& rule, std::byte* there, const std::byte* sent,
                  std::byte* before, std::size_t bytes) {
  call_with_number(rule.type, [&]<typename T>(T) {
    const T operand = loaded<T>(rule.operand.data());
    replace<T>(there, sent, before, bytes,
               [&](T was, T by) { return swapped(rule.when, was, by, operand); });
  });
}

}  // namespace boxcar::detail
