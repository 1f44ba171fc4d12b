#include "stream/stream_configuration.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/route_choice.hpp>

#include "conveyor/buffer_size.hpp"
#include "substrate/environment.hpp"
#include "substrate/largest.hpp"
#include "substrate/node_layout.hpp"

namespace boxcar::detail {
namespace {

template <typename N>
std::string text(N n) {
  return std::to_string(n);
}

// The most links that a PE of the route has. Collective: each counts its own.
std::size_t most_links(substrate& world, const route& way) {
  return largest<1>(world, {way.links(world.rank()).size()})[0];
}

// Collective.
route_choice choose(substrate& world, const stream_options& o, const stream_freight& what,
                    const buffer_place& place) {
  const std::size_t wished =
      o.buffer_bytes != 0 ? o.buffer_bytes : buffer_bytes_from_environment().value_or(0);
  const int per_node = pes_per_node(world);
  route_choice chosen = choose_route({.pes = world.size(),
                                      .pes_per_node = std::max(per_node, 1),
                                      .item_bytes = what.item_bytes,
                                      .items_per_pe = o.items_per_pe,
                                      .buffer_bytes = wished,
                                      .buffers_per_link = o.buffers_per_link,
                                      .max_bytes = o.max_bytes});
  if (o.way) {
    chosen.way = *o.way;
    chosen.reasons = "route as asked for\n";
    const std::size_t links = most_links(world, *o.way) + 1;  // with the one to itself
    if (wished == 0) {
      const buffer_size size = choose_buffer_size(links, what.item_bytes, place);
      chosen.buffer_bytes = size.bytes;
      chosen.reasons += "size of a buffer: " + size.why + "\n";
    }
  }
  if (wished != 0) {
    chosen.buffer_bytes = wished;
    chosen.reasons +=
        o.buffer_bytes != 0 ? "buffers as asked for\n" : "buffers from BOXCAR_BUFFER_BYTES\n";
  }
  return chosen;
}

std::string find_problem(const stream_options& o, const stream_freight& what, int pes) {
  if (o.way && o.way->pes() != pes) {
    return "the route is for " + text(o.way->pes()) + " PEs (" + o.way->describe() +
           "), but the world has " + text(pes) + ": make it for as many";
  }
  if (o.buffers_per_link != 1 && o.buffers_per_link != 2 && o.buffers_per_link != 4) {
    return "buffers_per_link is " + text(o.buffers_per_link) + ": give 1, 2 or 4";
  }
  if (o.buffer_bytes != 0 && o.buffer_bytes < what.item_bytes) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ", but an item has " +
           text(what.item_bytes) + " bytes: give at least that, or 0 to have a size chosen";
  }
  if (o.buffer_bytes != 0 && o.buffer_bytes < what.least_buffer_bytes) {
    return "buffer_bytes is " + text(o.buffer_bytes) +
           ", but what speaks for a large array needs " + text(what.least_buffer_bytes) +
           ": give at least that, or 0 to have a size chosen";
  }
  if (o.buffer_bytes > largest_buffer) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ": give at most " + text(largest_buffer);
  }
  if (o.flush_after.count() < 0) {
    return "flush_after is " + text(o.flush_after.count()) + " ns: give a time, or 0 for never";
  }
  return {};
}

// What this PE asks for, or the reason why that cannot work. Plain bytes, to be gathered.
struct request {
  static constexpr std::array names{"item size",    "alignment",        "kind of items",
                                    "buffer_bytes", "buffers_per_link", "items_per_pe",
                                    "max_bytes",    "look_ahead",       "flush_after"};
  std::array<std::uint64_t, names.size()> values{};
  std::uint64_t type = 0;
  char type_name[120] = {};
  char route[160] = {};
  // These need not be the same.
  buffer_place place;
  char problem[400] = {};
};

void check_alike(const request& first, const request& other, std::size_t pe) {
  if (first.type != other.type) {
    throw argument_error(
        std::string("the PEs disagree on the type of a stream's items: PE 0 gives ") +
        first.type_name + ", PE " + text(pe) + " gives " + other.type_name +
        "; give the same on all PEs");
  }
  const auto [a, b] = std::mismatch(first.values.begin(), first.values.end(), other.values.begin());
  if (a != first.values.end()) {
    const auto which = static_cast<std::size_t>(a - first.values.begin());
    throw argument_error(std::string("the PEs disagree on a stream's ") + request::names[which] +
                         ": PE 0 gives " + text(*a) + ", PE " + text(pe) + " gives " + text(*b) +
                         "; give the same on all PEs");
  }
  if (std::string_view(first.route) != other.route) {
    throw argument_error(std::string("the PEs disagree on a stream's route: PE 0 gives \"") +
                         first.route + "\", PE " + text(pe) + " gives \"" + other.route +
                         "\"; give the same on all PEs");
  }
}

}  // namespace

stream_configuration configure(substrate& world, const stream_options& o,
                               const stream_freight& what) {
  request mine;
  mine.values = {what.item_bytes,
                 what.alignment,
                 what.arrays,
                 o.buffer_bytes,
                 static_cast<std::uint64_t>(o.buffers_per_link),
                 o.items_per_pe,
                 o.max_bytes,
                 o.look_ahead,
                 static_cast<std::uint64_t>(o.flush_after.count())};
  mine.type = what.type.hash;
  what.type.name.copy(mine.type_name, sizeof mine.type_name - 1);
  const std::string way = o.way ? o.way->describe() : "to be chosen";
  way.copy(mine.route, sizeof mine.route - 1);
  mine.place = place_here(world);
  find_problem(o, what, world.size()).copy(mine.problem, sizeof mine.problem - 1);
  std::vector<request> all(static_cast<std::size_t>(world.size()));
  world.all_gather(std::as_bytes(std::span(&mine, 1)), reinterpret_cast<std::byte*>(all.data()));
  buffer_place place = mine.place;
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    place = place.with(all[pe].place);
    if (all[pe].problem[0] != '\0') {
      throw argument_error("stream on PE " + text(pe) + ": " + all[pe].problem);
    }
    check_alike(all[0], all[pe], pe);
  }
  route_choice chosen = choose(world, o, what, place);
  const std::size_t links = o.look_ahead != 0 ? most_links(world, chosen.way) : 0;
  if (o.look_ahead < links) {
    throw argument_error("look_ahead is " + text(o.look_ahead) + ", but a PE has up to " +
                         text(links) + " links (" + chosen.way.describe() +
                         "): give at least one item for each, or a route with fewer links");
  }
  // The environment may differ between PEs.
  std::vector<std::uint64_t> sizes(all.size());
  const std::uint64_t bytes = chosen.buffer_bytes;
  world.all_gather(std::as_bytes(std::span(&bytes, 1)), reinterpret_cast<std::byte*>(sizes.data()));
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (*least != *most) {
    throw argument_error("the PEs would choose buffers between " + text(*least) + " and " +
                         text(*most) +
                         " bytes: set BOXCAR_BUFFER_BYTES to the same on all PEs, or nowhere");
  }
  if (bytes < std::max(what.item_bytes, what.least_buffer_bytes)) {
    throw argument_error("BOXCAR_BUFFER_BYTES is " + text(bytes) +
                         ", but a buffer of this stream needs " +
                         text(std::max(what.item_bytes, what.least_buffer_bytes)) +
                         ": set it to at least that, or unset it");
  }
  return {chosen.way,   chosen.buffer_bytes, o.buffers_per_link,
          o.look_ahead, o.flush_after,       chosen.reasons};
}

}  // namespace boxcar::detail
