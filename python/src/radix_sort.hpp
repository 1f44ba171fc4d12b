// Numbers in order, digit by digit: several times as fast as by comparing them, once there are
// many.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// Puts the numbers in order; what is not a number comes last, and loses its sign.
void sort_numbers(std::string_view type, const written_bytes& numbers);

// order[k] becomes the position of the k-th number in order; of equal ones the first comes first.
// There are less than 2^32.
void order_numbers(std::string_view type, const read_bytes& numbers, std::span<std::int64_t> order);

}  // namespace boxcar::python
