// The program segment: the pages of the executable that hold variables with static storage.
#pragma once

#include <cstddef>
#include <span>

namespace boxcar::openshmem_c {

// Returns the pages of .data and .bss of the executable, without pages that are read-only after the
// start of the program; an empty range if there are none.
std::span<std::byte> program_segment();

// Makes the pages of `segment` the pages at `shared`, a shared mapping: the contents are copied,
// and the addresses stay. Returns false, with no effect, if the system refuses. Precondition: no
// other thread writes the segment meanwhile.
bool move_segment(std::span<std::byte> segment, std::byte* shared);

// Gives every process forked from now on pages of its own for the segment, as a fork does for other
// memory.
void separate_forked_children(std::span<std::byte> segment);

}  // namespace boxcar::openshmem_c
