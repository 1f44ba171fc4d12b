#include "conveyor/buffer_size.hpp"

#include <algorithm>
#include <bit>

namespace boxcar::detail {

std::size_t choose_buffer_bytes(std::size_t links, int buffers_per_link, std::size_t item_bytes) {
  constexpr std::size_t for_all_buffers = std::size_t{1} << 19;
  constexpr std::size_t most = std::size_t{1} << 17;
  const std::size_t share = for_all_buffers / (links * static_cast<std::size_t>(buffers_per_link));
  const std::size_t chosen =
      std::clamp(std::bit_floor(std::max<std::size_t>(share, 1)), least_chosen_buffer, most);
  // Items that would leave a buffer with room for less than a few get a larger one.
  constexpr std::size_t least_items = 4;
  return std::max(chosen, round_up_to_line(least_items * item_bytes));
}

}  // namespace boxcar::detail
