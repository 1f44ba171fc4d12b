// What atomic operations and swaps of an adapter do to numbers, which may lie anywhere.
#pragma once

#include <cstddef>

#include "trigger/records.hpp"

namespace boxcar::detail {

[[nodiscard]] std::size_t bytes_of(number_type type);
[[nodiscard]] bool is_integer(number_type type);
// Operations on bits are for integers.
[[nodiscard]] bool can_combine(number_type type, arithmetic how);

// Each number of `there` becomes what the rule makes of itself and of that sent. Of integers sums
// and products go around. `before`, if there is one, gets what they were; it may be where `sent`
// is.
void combine(const number_rule& rule, std::byte* there, const std::byte* sent, std::byte* before,
             std::size_t bytes);
void swap_numbers(const number_rule& rule, std::byte* there, const std::byte* sent,
                  std::byte* before, std::size_t bytes);

}  // namespace boxcar::detail
