// What is found out about rows before they travel, and done with them when they have arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// Of the first of these numbers that is not 0 to limit - 1, where it stands.
std::optional<std::size_t> first_out_of_range(std::string_view type, const read_bytes& numbers,
                                              std::uint64_t limit);

// counts[pe] becomes how many of these are for that PE.
void count_destinations(std::span<const std::int32_t> to, std::span<std::uint64_t> counts);

// into[i] becomes the next row of those that came from the PE to[i], which lie one behind the
// other, those of PE 0 first: answers, in the order in which the questions were asked.
void place_answers(const read_bytes& rows, std::size_t row_bytes, std::span<const std::int32_t> to,
                   std::span<const std::uint64_t> counts, const written_bytes& into);

}  // namespace boxcar::python
