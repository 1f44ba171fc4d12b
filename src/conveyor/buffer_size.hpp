// The default size of a conveyor's buffers.
#pragma once

#include <cstddef>

namespace boxcar::detail {

inline constexpr std::size_t largest_buffer = std::size_t{1} << 30;
// Chosen smaller only where memory is bounded: what happens once per buffer would begin to show.
inline constexpr std::size_t least_chosen_buffer = std::size_t{1} << 11;

constexpr std::size_t round_up_to_line(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

// For a PE with this many outgoing links. Large buffers cost few hand-overs; but those that are
// being filled should all stay in the cache of a core, and there are `links` of them.
std::size_t choose_buffer_bytes(std::size_t links, int buffers_per_link, std::size_t item_bytes);

}  // namespace boxcar::detail
