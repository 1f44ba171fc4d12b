// The default size of a conveyor's buffers.
#pragma once

#include <cstddef>
#include <string>

namespace boxcar::detail {

inline constexpr std::size_t largest_buffer = std::size_t{1} << 30;
// Chosen smaller only where memory is bounded: what happens once per buffer would begin to show.
inline constexpr std::size_t least_chosen_buffer = std::size_t{1} << 11;

constexpr std::size_t round_up_to_line(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

struct buffer_size {
  std::size_t bytes;
  std::string why;
};

// For a PE with this many outgoing links. Large buffers cost few hand-overs, and few changes from
// one PE to another where PEs share a core; but those that are being filled, one of each link,
// shall fit in the cache that a core has for itself. So many conveyors work together, as the two of
// a biconveyor do: they share that cache.
buffer_size choose_buffer_size(std::size_t links, std::size_t item_bytes, std::size_t cache_bytes,
                               std::size_t conveyors = 1);

inline constexpr std::size_t usual_cache_bytes = std::size_t{1} << 20;
// Of the second-level cache of this core; the usual size if the system does not tell.
std::size_t cache_bytes_here();

}  // namespace boxcar::detail
