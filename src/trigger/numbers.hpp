// Atomic operations and swaps of an adapter on numbers of any alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trigger/records.hpp"

namespace boxcar::detail {

[[nodiscard]] std::size_t bytes_of(number_type type);
[[nodiscard]] bool is_integer(number_type type);
// Calls `action` with a number of the type, which is 0.
template <typename Action>
void call_with_number(number_type type, const Action& action) {
  switch (type) {
    case number_type::int8:
      return action(std::int8_t{});
    case number_type::uint8:
      return action(std::uint8_t{});
    case number_type::int16:
      return action(std::int16_t{});
    case number_type::uint16:
      return action(std::uint16_t{});
    case number_type::int32:
      return action(std::int32_t{});
    case number_type::uint32:
      return action(std::uint32_t{});
    case number_type::int64:
      return action(std::int64_t{});
    case number_type::uint64:
      return action(std::uint64_t{});
    case number_type::float32:
      return action(float{});
    case number_type::float64:
      return action(double{});
  }
}

// Returns false for bit operations on floating-point numbers.
[[nodiscard]] bool can_combine(number_type type, arithmetic how);

// Replaces each number of `there` by the result of the rule for the number and its counterpart in
// `sent`. Sums and products of integers wrap around. `before`, if not null, gets the former values;
// `before` may equal `sent`.
void combine(const number_rule& rule, std::byte* there, const std::byte* sent, std::byte* before,
             std::size_t bytes);
void swap_numbers(const number_rule& rule, std::byte* there, const std::byte* sent,
                  std::byte* before, std::size_t bytes);

}  // namespace boxcar::detail
