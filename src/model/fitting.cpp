#include "model/fitting.hpp"

#include <algorithm>

#include "substrate/buffer_room.hpp"

namespace boxcar::detail {

std::size_t way_cost::bytes_with(std::size_t buffer_bytes) const {
  // The bytes held independently of links, the bytes for each link, and the bytes for each of its
  // buffers.
  constexpr std::size_t fixed = 4096;
  constexpr std::size_t with_link = 144;
  constexpr std::size_t with_buffer = 56;
  const std::size_t room = buffer_room(buffer_bytes);
  const std::size_t scratch = compressed_hops == 0 ? 0 : compressed_hops * compression_room(room);
  return fixed + other_bytes + links * with_link + buffers * (room + with_buffer) + scratch;
}

memory_bound memory_bound::of(std::size_t max_bytes, const buffer_place& place) {
  if (max_bytes != 0) return {max_bytes, true};
  constexpr std::size_t share = 32;
  return {std::max<std::size_t>(place.memory_bytes / (share * place.conveyors), 1), false};
}

std::string memory_bound::text() const {
  const std::string bytes_text = std::to_string(bytes) + " bytes";
  return by_client ? bytes_text
                   : bytes_text + ", a PE's share of the machine's memory, as no bound is given";
}

namespace {

buffer_size chosen_size(const way_cost& way, const buffer_wish& wish) {
  return choose_buffer_size(way.links, wish.item_bytes, wish.place, way.hops > 1);
}

}  // namespace

fitting fit(const way_cost& way, const buffer_wish& wish, const memory_bound& bound) {
  fitting f;
  f.open_bytes = wish.given != 0       ? wish.given
                 : wish.preferred != 0 ? wish.preferred
                                       : chosen_size(way, wish).bytes;
  f.buffer_bytes = f.open_bytes;
  const std::size_t least = std::max<std::size_t>(round_up_to_line(wish.item_bytes),
                                                  bound.by_client ? 64 : min_chosen_buffer);
  while (wish.given == 0 && bound.bytes != 0 && f.buffer_bytes / 2 >= least &&
         way.bytes_with(f.buffer_bytes) > bound.bytes) {
    f.buffer_bytes /= 2;
  }
  f.all_bytes = way.bytes_with(f.buffer_bytes);
  const bool fits = bound.bytes == 0 || f.all_bytes <= bound.bytes;
  // Another hop is better than buffers that are much too small.
  const bool fair = wish.given != 0 || f.buffer_bytes >= min_chosen_buffer;
  f.objective = !fits  ? fit_objective::least_memory
                : fair ? fit_objective::fewest_hops
                       : fit_objective::largest_buffers;
  return f;
}

std::string reason_for_size(const fitting& found, const way_cost& way, const buffer_wish& wish,
                            const memory_bound& bound) {
  if (wish.given != 0) return ", as asked for";
  if (wish.preferred != 0) return ", from BOXCAR_BUFFER_BYTES";
  if (found.buffer_bytes == found.open_bytes) return ": " + chosen_size(way, wish).why;
  return ": " + std::to_string(found.open_bytes) + ", halved until all fit in " + bound.text();
}

bool is_better(const fitting& next, const fitting& best) {
  if (next.objective != best.objective) return next.objective < best.objective;
  switch (best.objective) {
    case fit_objective::fewest_hops:
      return false;
    case fit_objective::largest_buffers:
      return next.buffer_bytes > best.buffer_bytes;
    case fit_objective::least_memory:
      return next.all_bytes < best.all_bytes;
  }
  return false;
}

std::string reason_for(const fitting& best, const memory_bound& bound) {
  switch (best.objective) {
    case fit_objective::fewest_hops:
      return "the fewest whose buffers fit in " + bound.text();
    case fit_objective::largest_buffers:
      return "those that leave the largest buffers in " + bound.text();
    case fit_objective::least_memory:
      return "those that need least, as nothing fits in " + bound.text();
  }
  return {};
}

}  // namespace boxcar::detail
