// The default size of the buffers of conveyors and streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace boxcar::detail {

class substrate;

inline constexpr std::size_t largest_buffer = std::size_t{1} << 30;
// Chosen smaller only where memory is bounded: what happens once per buffer would begin to show.
inline constexpr std::size_t least_chosen_buffer = std::size_t{1} << 11;
// Chosen smaller only where there are very many links, or memory is bounded.
inline constexpr std::size_t fair_buffer = std::size_t{1} << 16;
// The same for worlds of several nodes. A buffer that goes to another node is on its way for a
// while, and more so where its receiver shares a core.
inline constexpr std::size_t fair_buffer_between_nodes = std::size_t{1} << 18;
// The same for conveyors of several hops, where PEs share cores: a PE that has its turn goes on
// until there is no room, and an item takes room on every hop.
inline constexpr std::size_t fair_buffer_of_several_hops = std::size_t{1} << 19;

// From this size on an item is limited by its bytes. Elastic conveyors, whose items have any size,
// are taken for those of small ones: what speaks for one of their large items is smaller than this.
inline constexpr std::size_t least_large_item = 64;
// For those all buffers together are no larger than this: a world keeps a little more for the next
// conveyor, and with fresh pages all would be lost that is gained.
inline constexpr std::size_t most_for_large = std::size_t{1} << 22;

constexpr std::size_t round_up_to_line(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

struct buffer_size {
  std::size_t bytes;
  std::string why;
};

inline constexpr std::size_t usual_cache_bytes = std::size_t{1} << 20;
inline constexpr std::size_t usual_memory_bytes = std::size_t{1} << 30;

// What sizes depend on beside links and items.
struct buffer_place {
  std::size_t cache_bytes = usual_cache_bytes;  // of the second level, which a core has for itself
  bool cores_shared = false;                    // by several PEs
  std::size_t conveyors = 1;                    // that work together, as the two of a biconveyor do
  bool several_nodes = false;                   // which the PEs are spread over
  std::size_t memory_bytes = usual_memory_bytes;  // of the machine, for each PE on it

  // What suits all PEs is what follows from the largest of each of these numbers.
  using numbers = std::array<std::uint64_t, 5>;
  [[nodiscard]] numbers to_numbers() const;
  static buffer_place from(const numbers& largest);
};

// That of this PE, for one conveyor.
buffer_place place_here(const substrate& world);

// That of a PE with its own core on a machine as they are today.
inline buffer_place usual_place(bool several_nodes) {
  return {.several_nodes = several_nodes};
}

// For a PE with this many links, of two buffers each. Large buffers cost few hand-overs, and few
// changes from one PE to another where PEs share a core. They shall fill the cache twice: what a
// core has written is then mostly in the cache that all cores share by the time another reads it,
// which is faster than to fetch it from that core's own. For large items, up to four times, so that
// it is so for nearly all. Where cores are shared, they shall all fit in the cache, and so shall
// those of conveyors that work together, whose clients keep what belongs to queries on the way
// beside them. docs/performance.md has figures.
buffer_size choose_buffer_size(std::size_t links, std::size_t item_bytes, const buffer_place& place,
                               bool several_hops = false);

// Of the second-level cache of this core; the usual size if the system does not tell.
std::size_t cache_bytes_here();
// That this machine has, or that the system allows this program, its container for instance.
std::size_t machine_bytes_here();

}  // namespace boxcar::detail
