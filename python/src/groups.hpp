// Reductions of the values of a group: rows with the same number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

// Combines into[id] with all values of the number `id`, in their order. `from` is the type of the
// values, `to` the type of the result: the same, or a wider type.
void combine_groups(std::string_view operation, std::string_view from, std::string_view to,
                    const read_bytes& values, std::span<const std::uint32_t> ids,
                    const written_bytes& into);

// Adds the number of rows with each number to counts[id].
void count_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> counts);

// The rows in the order of their numbers, and of their places within a group; starts[id] becomes
// where a group begins there, and the last of them the number of rows.
void order_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> order,
                  std::span<std::int64_t> starts);

}  // namespace boxcar::python
