// Atomic operations and swaps of an adapter on numbers of any alignment.
#pragma once

#include <cstddef>

#include "trigger/records.hpp"

namespace boxcar::detail {

[[nodiscard]] std::size_t bytes_of(number_type type);
[[nodiscard]] bool is_integer(number_type type);
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
