// The functions below check whether the PEs of a simulation have room in the memory of the machine:
// before any PE starts, and when the memory use of the program becomes clear.
#pragma once

#include <cstddef>
#include <string>

namespace boxcar::detail {

// The memory of a PE that only begins and ends: two pages of its stack, and its share of the world.
// A PE with a conveyor of three hops takes about seven times as much.
inline constexpr std::size_t min_bytes_of_pe = std::size_t{9} << 10;

// Returns the memory of this machine in bytes.
std::size_t physical_memory();

// Throws argument_error with the number of PEs that would fit, if each PE takes `each` of `bytes`
// and the PEs do not fit.
void require_memory_for(int pes, std::size_t each, std::size_t bytes);

struct memory_use {
  std::size_t most_here = 0;  // of this process, until now
  std::size_t left = 0;       // for any process
  std::size_t all = 0;
};
// Returns the use of memory; looks up `left` only if this process has taken much.
memory_use look_at_memory();

// Returns an error text if so little is left that the system would soon end a process; else empty.
std::string memory_shortage(int pes, const memory_use& is);

}  // namespace boxcar::detail
