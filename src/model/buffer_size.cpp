#include "model/buffer_size.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <unistd.h>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

buffer_size choose_buffer_size(std::size_t links, std::size_t item_bytes, const buffer_place& place,
                               bool several_hops) {
  const std::size_t buffers = links * 2 * place.conveyors;
  const auto share_of = [buffers](std::size_t bytes) {
    return std::bit_floor(std::max<std::size_t>(bytes / buffers, 1));
  };
  // Larger buffers did not gain anything. A PE without peers reads its own data from its own cache.
  const std::size_t most =
      std::bit_floor((std::size_t{1} << (links > 1 ? 19 : 18)) / place.conveyors);
  // Smaller buffers make the cost of hand-overs visible, but all buffers together must not take too
  // many bytes.
  const bool in_turns = place.several_nodes && place.cores_shared && several_hops;
  const std::size_t all_together = std::size_t{1} << (in_turns ? 23 : 22);
  const std::size_t fair = std::min(in_turns              ? fair_buffer_of_several_hops
                                    : place.several_nodes ? fair_buffer_between_nodes
                                                          : fair_buffer,
                                    most);
  const std::size_t least = std::clamp(share_of(all_together), min_chosen_buffer, fair);
  // Buffers too small for a few items become larger.
  constexpr std::size_t least_items = 4;
  const std::size_t for_items = round_up_to_line(least_items * item_bytes);
  const bool within_cache = place.cores_shared || place.conveyors > 1;
  const std::size_t share = share_of(within_cache ? place.cache_bytes : 2 * place.cache_bytes);
  const std::size_t chosen = std::clamp(share, least, most);
  // Bytes limit large items; instructions and memory accesses limit small items.
  if (item_bytes >= min_large_item && !within_cache && links > 1) {
    const std::size_t larger =
        std::min({2 * most, share_of(4 * place.cache_bytes), share_of(most_for_large)});
    if (larger > std::max(chosen, for_items)) {
      return {larger, "items are large, and gain from twice what small ones get"};
    }
  }
  if (for_items > chosen) {
    return {for_items, "room for " + std::to_string(least_items) + " items of " +
                           std::to_string(item_bytes) + " bytes"};
  }
  if (share > most) return {most, "more would not gain anything"};
  if (share < least) {
    if (least == fair) {
      return {least, in_turns ? "with less, PEs that share cores would change too often"
                     : place.several_nodes ? "with less, the way between nodes would show"
                                           : "with less, handing them over would begin to show"};
    }
    return {least, "of a size at which handing them over begins to show, less for so many links"};
  }
  const std::string of = place.conveyors == 1 ? ""
                                              : " of " + std::to_string(place.conveyors) +
                                                    " conveyors that work together";
  const std::string cache = "a cache of " + std::to_string(place.cache_bytes) + " bytes";
  if (!within_cache) return {chosen, "two of each link fill " + cache + " twice"};
  return {chosen, "two of each link" + of + " fit in " + cache +
                      (place.cores_shared ? ", as PEs share cores" : "")};
}

buffer_place::numbers buffer_place::to_numbers() const {
  return {~std::uint64_t{cache_bytes}, cores_shared, conveyors, several_nodes,
          ~std::uint64_t{memory_bytes}};
}

buffer_place buffer_place::from(const numbers& largest) {
  const auto [cache, shared, conveyors, nodes, memory] = largest;
  return {static_cast<std::size_t>(~cache), shared != 0, static_cast<std::size_t>(conveyors),
          nodes != 0, static_cast<std::size_t>(~memory)};
}

buffer_place place_here(const substrate& world) {
  return {.cache_bytes = cache_bytes_here(),
          .cores_shared = !world.has_core(),
          .several_nodes = world.layout().nodes() > 1,
          .memory_bytes = machine_bytes_here() / static_cast<std::size_t>(world.pes_on_machine())};
}

std::size_t cache_bytes_here() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return usual_cache_bytes;
}

namespace {

// Returns the content of a file with nothing but a number; the largest number if the file holds
// something else.
std::size_t number_in(const char* file) {
  std::size_t number = 0;
  return std::ifstream(file) >> number ? number : std::numeric_limits<std::size_t>::max();
}

std::size_t find_machine_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  const std::size_t all = pages > 0 && page > 0
                              ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                              : usual_memory_bytes;
  return std::min({all, number_in("/sys/fs/cgroup/memory.max"),
                   number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace

std::size_t machine_bytes_here() {
  static const std::size_t once = find_machine_bytes();
  return once;
}

}  // namespace boxcar::detail
