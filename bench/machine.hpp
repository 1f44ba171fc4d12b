// Describes the machine of a measurement, as a repetition needs the description.
#pragma once

#include <cstddef>
#include <string>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// The cores of the process.
[[nodiscard]] int usable_cores();
// Collective. How many cores the PEs of a world may use, all together.
[[nodiscard]] int cores_of(world& w);

struct machine {
  std::string processor;
  int cores = 0;  // usable by the process
  std::size_t first_cache_bytes = 0;
  std::size_t second_cache_bytes = 0;
  std::size_t third_cache_bytes = 0;
  std::size_t memory_bytes = 0;
  std::string system;  // the operating system and its version
};
[[nodiscard]] machine this_machine();

// Returns the time in the form 2026-11-21T23:47:19Z.
[[nodiscard]] std::string time_now();

}  // namespace boxcar::bench
