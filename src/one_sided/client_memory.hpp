// Memory of the program's own as a part of a window or an append buffer: which PEs of the node
// reach it, and where. Threads do, and PEs alone on their node, of whom nobody is asked; elsewhere
// memory that has a counterpart on each PE does, as OpenSHMEM's symmetric memory has.
#pragma once

#include <cstddef>
#include <vector>

#include <boxcar/detail/object_memory.hpp>

#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// To be called before the PEs agree: objects to memory that others would not reach.
void check_client_memory(const substrate& world, const object_memory& mine, agreement& all);

// Collective. Where each PE of this node, by its place there, has its memory, in terms of this
// one's. `addresses[place]` is where that PE itself sees it; `bytes` is how much of it this PE has.
// Throws argument_error on all PEs if they have given memory that is not one another's counterpart;
// `object` is what it was given for.
std::vector<std::byte*> find_client_memory(substrate& world, const object_memory& mine,
                                           const std::vector<std::byte*>& addresses,
                                           const std::vector<std::size_t>& bytes,
                                           const char* object);

}  // namespace boxcar::detail
