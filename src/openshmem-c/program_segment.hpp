// The program segment: the pages of the executable that hold variables with static storage.
#pragma once

#include <cstddef>
#include <span>

namespace boxcar::openshmem_c {

[[nodiscard]] std::size_t page_bytes();

// Returns the pages of .data and .bss of the executable, without pages that are read-only after the
// start of the program; an empty range if there are none.
std::span<std::byte> program_segment();

// Makes the pages of `segment` the pages at `shared`, a shared mapping: the contents are copied,
// and the addresses stay. Returns false, with no effect, if the system refuses. Precondition: no
// other thread writes the segment meanwhile.
bool move_segment(std::span<std::byte> segment, std::byte* shared);

// Gives every process forked from now on copies of the pages of the segment, with their contents at
// the fork.
void separate_forked_children(std::span<std::byte> segment);

}  // namespace boxcar::openshmem_c
