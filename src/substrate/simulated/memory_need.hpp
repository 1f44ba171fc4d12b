// Whether the PEs of a simulation have room in the memory of the machine, before any is started.
#pragma once

#include <cstddef>

namespace boxcar::detail {

// What a PE takes that does nothing but begin and end: two pages of its stack, and what the world
// is to it. With a conveyor of three hops it is about seven times as much.
inline constexpr std::size_t least_bytes_of_pe = std::size_t{9} << 10;

// Of this machine, in bytes.
std::size_t physical_memory();

// Throws argument_error that says how many would fit, if each takes `each` of `bytes`.
void require_memory_for(int pes, std::size_t each, std::size_t bytes);

}  // namespace boxcar::detail
