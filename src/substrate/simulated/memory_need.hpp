// Whether the PEs of a simulation have room in the memory of the machine: before any is started,
// and when it turns out what their program takes.
#pragma once

#include <cstddef>
#include <string>

namespace boxcar::detail {

// What a PE takes that does nothing but begin and end: two pages of its stack, and what the world
// is to it. With a conveyor of three hops it is about seven times as much.
inline constexpr std::size_t least_bytes_of_pe = std::size_t{9} << 10;

// Of this machine, in bytes.
std::size_t physical_memory();

// Throws argument_error that says how many would fit, if each takes `each` of `bytes`.
void require_memory_for(int pes, std::size_t each, std::size_t bytes);

struct memory_use {
  std::size_t most_here = 0;  // this process, until now
  std::size_t left = 0;       // for anybody
  std::size_t all = 0;
};
// `left` is looked up only if this process has taken much.
memory_use look_at_memory();

// What to say if so little is left that the system would soon end a process for it; else empty.
std::string memory_shortage(int pes, const memory_use& is);

}  // namespace boxcar::detail
