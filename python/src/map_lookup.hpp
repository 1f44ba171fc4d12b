// Lookups in a map: keys travel to their owners, and values come back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boxcar/world.hpp>

#include "key_table.hpp"
#include "map_keys.hpp"

namespace boxcar::python {

struct map_answers {
  std::byte* values;              // a row for each key; those of absent keys become zeros
  std::size_t value_bytes;        // 0: no values are wanted
  std::span<std::uint8_t> found;  // 1 or 0 for each key
};

// Collective. `most_keys` is the largest number of keys that any PE gives.
void look_up(world& w, const key_table& mine, const map_keys& keys, std::size_t most_keys,
             const map_answers& answers);

}  // namespace boxcar::python
