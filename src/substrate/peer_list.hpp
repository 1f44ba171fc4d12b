// A peer_list lies in the block of remote memory of a PE, and lists the peers of the PE's incoming
// or outgoing links. Another PE finds the number of its link by a few reads, however many entries
// there are: no PE fetches the list of another PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "substrate/put_links.hpp"

namespace boxcar::detail::peer_list {

// Returns the size of a list of `pes` PEs; a multiple of 8.
[[nodiscard]] std::size_t bytes(std::size_t pes);
// Writes a list of different PEs, in any order; the index of a PE is the number of its link.
void write(std::byte* list, const std::vector<int>& pes);
// Returns the number of the link between `pe` and `me` in the list at `list_at` in the block of
// `pe`. Preconditions: the list contains `me`, and the PEs have synchronised after `write`.
[[nodiscard]] std::uint32_t find(remote_memory& memory, int pe, std::size_t list_at, int me);

}  // namespace boxcar::detail::peer_list
