// Numbers in order, digit by digit: several times as fast as by comparing them, once there are
// many.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// Puts the numbers in order; NaNs come last, and lose their sign.
void sort_numbers(std::string_view type, const written_bytes& numbers);

// Sets order[k] to the position of the k-th number in order; the sort is stable. Precondition:
// there are less than 2^32 numbers.
void order_numbers(std::string_view type, const read_bytes& numbers, std::span<std::int64_t> order);

}  // namespace boxcar::python
