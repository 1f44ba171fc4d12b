// Checks of rows before they are sent, and placement of rows on arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// The position of the first number that is not 0 to limit - 1.
std::optional<std::size_t> first_out_of_range(std::string_view type, const read_bytes& numbers,
                                              std::uint64_t limit);

// Sets counts[pe] to the number of rows for each PE.
void count_destinations(std::span<const std::int32_t> to, std::span<std::uint64_t> counts);

// Sets into[i] to the next of the rows from the PE to[i]. The rows of a PE are contiguous, in the
// order of PEs: answers, in the order of their questions.
void place_answers(const read_bytes& rows, std::size_t row_bytes, std::span<const std::int32_t> to,
                   std::span<const std::uint64_t> counts, const written_bytes& into);

}  // namespace boxcar::python
