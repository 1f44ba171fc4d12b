// Small collectives over arrays and over bytes.
#pragma once

#include <string_view>

#include <boxcar/world.hpp>

#include "arrays.hpp"

namespace boxcar::python {

// Collective. Replaces elements by the combination of the elements of all PEs; of the PEs up to
// this PE; of `first`, one element, and the elements of the PEs before this PE.
void reduce_array(world& w, std::string_view operation, std::string_view type,
                  const written_bytes& values);
void scan_array(world& w, std::string_view operation, std::string_view type,
                const written_bytes& values);
void exclusive_scan_array(world& w, std::string_view operation, std::string_view type,
                          const written_bytes& values, const read_bytes& first);

}  // namespace boxcar::python
