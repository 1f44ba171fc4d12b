// Gathers elements of a distributed table to the asking PEs.
#pragma once

#include <cstddef>

#include <boxcar/world.hpp>

#include "located_indices.hpp"

namespace boxcar::python {

// A part of a table: rows of `row_bytes`.
struct table_part {
  const std::byte* rows;
  std::size_t row_bytes;
};

// Collective. result[i] becomes the row of the i-th index. Indices have been checked, and all PEs
// give tables of the same type; none has more than `most_indices`.
void gather_rows(world& w, const indices_in_table& indices, std::size_t most_indices,
                 const table_part& mine, std::byte* result);

}  // namespace boxcar::python
