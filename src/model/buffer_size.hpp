// The default size of the buffers of conveyors and streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace boxcar::detail {

class substrate;

inline constexpr std::size_t largest_buffer = std::size_t{1} << 30;
// Sizes below this bound are chosen only where memory is bounded: costs per buffer would become
// visible.
inline constexpr std::size_t min_chosen_buffer = std::size_t{1} << 11;
// Smaller sizes are chosen only where there are very many links, or memory is bounded.
inline constexpr std::size_t fair_buffer = std::size_t{1} << 16;
// The bound for worlds of several nodes. A buffer for another node is in flight for a while, and
// longer where its receiver shares a core.
inline constexpr std::size_t fair_buffer_between_nodes = std::size_t{1} << 18;
// The bound for conveyors of several hops, where PEs share cores: a scheduled PE runs until there
// is no room, and an item takes room on every hop.
inline constexpr std::size_t fair_buffer_of_several_hops = std::size_t{1} << 19;

// Items of at least this size are limited by their bytes. Elastic conveyors, with items of any
// size, count as conveyors of small items: the packet in place of a large item is smaller than this
// bound.
inline constexpr std::size_t min_large_item = 64;
// The bound of the bytes of all buffers together for large items: a world keeps slightly more
// memory for the next conveyor, and fresh pages would cost the whole gain.
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

// The properties of a PE's machine and world that buffer sizes depend on, beside links and items.
struct buffer_place {
  std::size_t cache_bytes = usual_cache_bytes;    // of the second level, private to a core
  bool cores_shared = false;                      // by several PEs
  std::size_t conveyors = 1;                      // working together, as the two of a biconveyor do
  bool several_nodes = false;                     // the PEs are spread over several nodes
  std::size_t memory_bytes = usual_memory_bytes;  // of the machine, for each of its PEs

  // The properties as numbers. The maximum of each number over all PEs leads to a size suitable for
  // all PEs.
  using numbers = std::array<std::uint64_t, 5>;
  [[nodiscard]] numbers to_numbers() const;
  static buffer_place from(const numbers& largest);
};

// Returns the properties of this PE, for one conveyor.
buffer_place place_here(const substrate& world);

// Returns the properties of a PE with its own core on a contemporary machine.
inline buffer_place usual_place(bool several_nodes) {
  return {.several_nodes = several_nodes};
}

// Returns the buffer size for a PE with `links` links, of two buffers each. Large buffers need few
// hand-overs, and few changes from one PE to another where PEs share a core. All buffers together
// fill the cache twice: data written by a core is then mostly in the cache shared by all cores by
// the time another core reads the data, and a read from the shared cache is faster than a fetch
// from the writer's own cache. For large items the buffers fill the cache up to four times, so that
// nearly all data is in the shared cache. Where PEs share cores, all buffers fit in the cache; so
// do the buffers of conveyors that work together, whose clients keep data of outstanding queries
// beside the buffers. docs/performance.md has figures.
buffer_size choose_buffer_size(std::size_t links, std::size_t item_bytes, const buffer_place& place,
                               bool several_hops = false);

// Returns the bytes of the second-level cache of this core; the usual size if the system does not
// report the size.
std::size_t cache_bytes_here();
// Returns the memory of this machine, or the memory that the system allows this program, for
// instance by its container.
std::size_t machine_bytes_here();

}  // namespace boxcar::detail
