// Combinations of the values of a map with arriving values.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace boxcar::python {

// Rows of `bytes`, `stride` bytes apart, at any alignment. With stride 0 all rows are the same.
struct packed_values {
  const std::byte* first;
  std::size_t bytes;
  std::size_t stride;

  [[nodiscard]] const std::byte* at(std::size_t i) const { return first + i * stride; }
};

// Combines the value at into[i] with values.at(i), for all i in order. Values that were inserted
// just now are zeros before.
using map_operation = void(std::span<std::byte* const> into, std::span<const bool> is_new,
                           const packed_values& values);

// Returns the function of an operation: of those of `with_operation`, "put", which replaces a
// value, or "first", which keeps a value. Elements of values have the NumPy type `type`. Throws
// argument_error if the operation does not work with the type.
map_operation* map_operation_of(std::string_view operation, std::string_view type);

}  // namespace boxcar::python
