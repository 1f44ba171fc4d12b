// Updates of elements of a distributed table, by any PE.
#pragma once

#include <cstddef>
#include <string_view>

#include <boxcar/world.hpp>

#include "located_indices.hpp"

namespace boxcar::python {

struct update {
  std::string_view operation;  // or "put", which replaces the element by the value
  std::string_view type;       // of an element
  std::size_t row_bytes;
  const std::byte* values;  // a row for each index
  std::byte* table;         // the PE's segment
};

// Throws argument_error if the operation does not work with the type.
void check_update(std::string_view operation, std::string_view type);

// Collective. Indices have been checked, and all PEs give the same operation, type and row.
void update_rows(world& w, const indices_in_table& indices, const update& u);

}  // namespace boxcar::python
