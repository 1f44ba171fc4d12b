// Whether what a client asks for can work, as far as a PE can tell by itself.
#pragma once

#include <cstddef>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/type_identity.hpp>

namespace boxcar::detail {

inline constexpr std::size_t largest_item = 65536;

// What a conveyor is to carry.
struct freight {
  std::size_t item_bytes;  // the size of the items, or the least that a buffer must hold
  bool elastic = false;
  std::size_t largest_elastic_item = 0;
  std::size_t conveyors = 1;  // that work together, like the two of a biconveyor
  type_identity type = {};    // of the items, as far as it is known
};

// The first problem, and what to do about it; empty if there is none. `pes`: of the world.
std::string find_problem(const conveyor_options& options, const freight& what, int pes);

// What BOXCAR_BUFFER_BYTES says, where that counts; else 0. Throws argument_error.
std::size_t wished_buffer(const conveyor_options& options);

}  // namespace boxcar::detail
