// In the block of remote memory of a PE: whom its links lead to, or come from, and which link that
// is. Another PE finds its own place there by looking at few entries, however many there are:
// nobody fetches the list of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "substrate/put_links.hpp"

namespace boxcar::detail::peer_list {

// What a list of so many PEs takes; a multiple of 8.
[[nodiscard]] std::size_t bytes(std::size_t pes);
// Different PEs, in any order: each is the number of its link.
void write(std::byte* list, const std::vector<int>& pes);
// Which link of `pe` it is that has to do with `me`, which must be in the list that lies at
// `list_at` in its block. Once it is written, and the PEs have come together after that.
[[nodiscard]] std::uint32_t find(remote_memory& memory, int pe, std::size_t list_at, int me);

}  // namespace boxcar::detail::peer_list
