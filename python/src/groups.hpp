// What becomes of the values of a group: rows that have the same number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// into[id] becomes the combination of what it holds and of all values of that number, in their
// order. `from` is their type, `to` that of what they are combined to: the same, or a wider one.
void combine_groups(std::string_view operation, std::string_view from, std::string_view to,
                    const read_bytes& values, std::span<const std::uint32_t> ids,
                    const written_bytes& into);

// counts[id] is increased for each row of that number.
void count_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> counts);

// The rows in the order of their numbers, and of their places within a group; starts[id] becomes
// where a group begins there, and the last of them the number of rows.
void order_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> order,
                  std::span<std::int64_t> starts);

}  // namespace boxcar::python
