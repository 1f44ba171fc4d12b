// The PE that each number belongs to where numbers are sorted over all PEs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "arrays.hpp"

namespace boxcar::python {

// The first numbers of the second PE, of the third, and so on, in order. Of numbers that are equal
// to splitter k, those before number places[k] belong ahead of it. Precondition: the places of
// equal splitters are in order. NaNs are equal, and come last.
struct splits {
  const read_bytes& splitters;
  std::span<const std::int64_t> places;
};

// Sets to[i] to the PE of number i, and returns how many belong to each PE.
std::vector<std::uint64_t> split_numbers(std::string_view type, const read_bytes& numbers,
                                         const splits& at, std::span<std::int32_t> to);

// Copies the numbers, first those of PE 0, and returns how many belong to each PE. Those of a PE
// are in any order.
std::vector<std::uint64_t> group_numbers(std::string_view type, const read_bytes& numbers,
                                         const splits& at, const written_bytes& into);

}  // namespace boxcar::python
