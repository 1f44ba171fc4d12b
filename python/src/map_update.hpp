// Updates of a map: keys, with or without values, travel to the owners of the keys.
#pragma once

#include <cstddef>
#include <string_view>

#include <boxcar/world.hpp>

#include "key_table.hpp"
#include "map_keys.hpp"

namespace boxcar::python {

// All PEs give the same, but for the values.
struct map_update {
  std::string_view operation;  // see map_operation_of
  std::string_view type;       // of an element of a value
  const std::byte* values;     // a row for each key, or one row for all keys
  bool is_same_value;          // one row for all keys, the same on all PEs: does not travel
};

// Collective. Inserts absent keys, and combines the values of others with the given values. Updates
// of one PE take place in the order of its keys.
void update_map(const world& w, key_table& mine, const map_keys& keys, const map_update& u);

// Collective. Removes keys. Returns how many keys this PE has lost.
std::size_t erase_from_map(const world& w, key_table& mine, const map_keys& keys);

}  // namespace boxcar::python
