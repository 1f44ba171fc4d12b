#include "conveyor/buffer_size.hpp"

#include <algorithm>
#include <bit>
#include <unistd.h>

namespace boxcar::detail {

buffer_size choose_buffer_size(std::size_t links, std::size_t item_bytes, std::size_t cache_bytes,
                               std::size_t conveyors) {
  constexpr std::size_t least = least_chosen_buffer;
  const std::size_t most = std::bit_floor((std::size_t{1} << 18) / conveyors);
  // Items that would leave a buffer with room for less than a few get a larger one.
  constexpr std::size_t least_items = 4;
  const std::size_t for_items = round_up_to_line(least_items * item_bytes);
  const std::size_t share =
      std::bit_floor(std::max<std::size_t>(cache_bytes / (links * conveyors), 1));
  const std::size_t chosen = std::clamp(share, least, most);
  if (for_items > chosen) {
    return {for_items, "room for " + std::to_string(least_items) + " items of " +
                           std::to_string(item_bytes) + " bytes"};
  }
  if (share > most) return {most, "more would not gain anything"};
  if (share < least) {
    return {least, "with less, handing them over would cost more than a cache of " +
                       std::to_string(cache_bytes) + " bytes saves"};
  }
  const std::string of = conveyors == 1 ? ""
                                        : " and of each of " + std::to_string(conveyors) +
                                              " conveyors that work together";
  return {chosen, "one of each link" + of + ", all that are filled at a time, fit in a cache of " +
                      std::to_string(cache_bytes) + " bytes"};
}

std::size_t cache_bytes_here() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return usual_cache_bytes;
}

}  // namespace boxcar::detail
