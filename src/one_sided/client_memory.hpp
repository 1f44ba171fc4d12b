// Memory of the program as the local segment of a window or an append buffer: checks whether the
// PEs of the node can access the memory, and finds its addresses. Threads can access all memory; a
// PE alone on its node needs no check; other PEs can access memory that has a counterpart on each
// PE, like OpenSHMEM's symmetric memory.
#pragma once

#include <cstddef>
#include <vector>

#include <boxcar/detail/object_memory.hpp>

#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Objects to memory that other PEs of the node cannot access. Called before the PEs agree.
void check_client_memory(const substrate& world, const object_memory& mine, agreement& all);

// Collective. Returns the addresses, in the caller's address space, of the memory of each PE of the
// node, by local rank. `addresses[place]` is the address in the PE's own address space; `bytes` has
// the sizes. Throws argument_error on all PEs if the memories are not counterparts; `object` names
// the purpose of the memory.
std::vector<std::byte*> find_client_memory(substrate& world, const object_memory& mine,
                                           const std::vector<std::byte*>& addresses,
                                           const std::vector<std::size_t>& bytes,
                                           const char* object);

}  // namespace boxcar::detail
