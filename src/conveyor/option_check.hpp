// Checks whether the options of a client can work, as far as a PE can decide locally.
#pragma once

#include <cstddef>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/type_identity.hpp>

namespace boxcar::detail {

inline constexpr std::size_t largest_item = 65536;

// The items that a conveyor transports.
struct item_format {
  std::size_t item_bytes;  // the size of the items, or the minimum size of a buffer
  bool elastic = false;
  std::size_t largest_elastic_item = 0;
  std::size_t conveyors = 1;  // number of conveyors that work together: 2 in a biconveyor
  type_identity type = {};    // of the items, as far as it is known
};

// Returns the first problem, and the remedy; empty if there is none. `pes` is the size of the
// world.
std::string find_problem(const conveyor_options& options, const item_format& what, int pes);

// Returns the value of BOXCAR_BUFFER_BYTES if it applies, else 0. Throws argument_error.
std::size_t wished_buffer(const conveyor_options& options);

}  // namespace boxcar::detail
