#include "stream/stream_configuration.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/route_choice.hpp>

#include "model/fitting.hpp"
#include "substrate/agreement.hpp"
#include "substrate/environment.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

template <typename N>
std::string text(N n) {
  return std::to_string(n);
}

// What a route makes the PE hold that has most links. Collective: each counts its own.
way_cost cost_of(substrate& world, const route& way, int buffers_per_link) {
  const auto per_link = static_cast<std::size_t>(buffers_per_link);
  std::size_t links = 1;  // to itself
  std::size_t buffers = per_link;
  for (const hop& link : way.links(world.rank())) {
    ++links;
    buffers += world.is_local(link.pe) ? per_link : per_link + 1;
  }
  const auto [most_links, most_buffers] = largest<2>(world, {links, buffers});
  return {way.stages(), most_links, most_buffers, 0, 0};
}

// The same of a grid, before there is a route.
way_cost cost_of(const node_layout& nodes, const grid_sizes& sizes, int buffers_per_link) {
  const auto per_link = static_cast<std::size_t>(buffers_per_link);
  way_cost cost{static_cast<int>(sizes.size()), 1, per_link, 0, 0};
  std::int64_t span = 1;  // of PEs that differ in this dimension, or one behind it, only
  for (std::size_t d = sizes.size(); d-- > 0;) {
    span *= sizes[d];
    const bool local = nodes.nodes() == 1 || span <= nodes.pes_per_node();
    const auto links = static_cast<std::size_t>(sizes[d] - 1);
    cost.links += links;
    cost.buffers += links * (local ? per_link : per_link + 1);
  }
  return cost;
}

struct choice {
  route way;
  std::size_t buffer_bytes;
  std::string reasons;
};

std::string about_buffers(std::size_t bytes, const std::string& why) {
  return "size of a buffer: " + text(bytes) + " bytes" + why + "\n";
}

// The grid of the fewest dimensions whose buffers fit.
choice choose_fewest_hops(const node_layout& nodes, const stream_options& o,
                          const buffer_wish& wish, const memory_bound& bound) {
  const auto grid_of = [&nodes](int dimensions) {
    return balanced_grid(nodes.pes(), dimensions, std::max(nodes.pes_per_node(), 1));
  };
  grid_sizes best = grid_of(1);
  way_cost best_cost = cost_of(nodes, best, o.buffers_per_link);
  fitting best_fit = fit(best_cost, wish, bound);
  for (int dimensions = 2; dimensions <= most_dimensions && best_fit.best_by != merit::fewest_hops;
       ++dimensions) {
    const grid_sizes next = grid_of(dimensions);
    if (std::ranges::count(next, 1) != 0) break;
    const way_cost cost = cost_of(nodes, next, o.buffers_per_link);
    const fitting next_fit = fit(cost, wish, bound);
    if (!is_better(next_fit, best_fit)) continue;
    best = next;
    best_cost = cost;
    best_fit = next_fit;
  }
  const std::string reasons =
      "hops: " + reason_for(best_fit, bound) + "\n" +
      about_buffers(best_fit.buffer_bytes, reason_for_size(best_fit, best_cost, wish, bound));
  const bool one_hop = best.size() == 1;
  best[0] = 0;  // the last slab may be incomplete
  return {one_hop ? route::direct(nodes.pes()) : route::grid(nodes.pes(), best),
          best_fit.buffer_bytes, reasons};
}

// By the model, for so many items.
choice choose_by_model(const node_layout& nodes, const stream_options& o, const buffer_wish& wish,
                       const memory_bound& bound) {
  const std::size_t wished = wish.given != 0 ? wish.given : wish.preferred;
  route_choice chosen = choose_route({.pes = nodes.pes(),
                                      .pes_per_node = std::max(nodes.pes_per_node(), 1),
                                      .item_bytes = wish.item_bytes,
                                      .items_per_pe = o.items_per_pe,
                                      .buffer_bytes = wished,
                                      .buffers_per_link = o.buffers_per_link,
                                      .max_bytes = bound.bytes});
  const std::string why = wish.given != 0       ? ", as asked for"
                          : wish.preferred != 0 ? ", from BOXCAR_BUFFER_BYTES"
                                                : ", by the model";
  return {std::move(chosen.way), chosen.buffer_bytes,
          chosen.reasons + about_buffers(chosen.buffer_bytes, why)};
}

// Collective if the client gives a route.
choice choose(substrate& world, const stream_options& o, const stream_freight& what,
              const buffer_place& place) {
  const buffer_wish wish{std::max(what.item_bytes, what.least_buffer_bytes), o.buffer_bytes,
                         buffer_bytes_from_environment().value_or(0), place};
  if (o.way) {
    // Whoever asks for a route gets it, whatever it takes.
    const memory_bound bound =
        o.max_bytes == 0 ? memory_bound{} : memory_bound::of(o.max_bytes, place);
    const way_cost cost = cost_of(world, *o.way, o.buffers_per_link);
    const fitting found = fit(cost, wish, bound);
    return {*o.way, found.buffer_bytes,
            "route: as asked for\n" +
                about_buffers(found.buffer_bytes, reason_for_size(found, cost, wish, bound))};
  }
  const memory_bound bound = memory_bound::of(o.max_bytes, place);
  return o.items_per_pe == 0 ? choose_fewest_hops(world.layout(), o, wish, bound)
                             : choose_by_model(world.layout(), o, wish, bound);
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

// What all PEs must give alike.
agreement stated(const stream_options& o, const stream_freight& what, int pes) {
  agreement all;
  all.object(find_problem(o, what, pes));
  all.on("item type", what.type.name);
  all.on("item size", what.item_bytes);
  all.on("alignment", what.alignment);
  all.on("kind of items", what.arrays);
  all.on("buffer_bytes", o.buffer_bytes);
  all.on("buffers_per_link", o.buffers_per_link);
  all.on("items_per_pe", o.items_per_pe);
  all.on("max_bytes", o.max_bytes);
  all.on("look_ahead", o.look_ahead);
  all.on("flush_after", o.flush_after.count());
  all.on("route", o.way ? '"' + o.way->describe() + '"' : "\"to be chosen\"");
  return all;
}

}  // namespace

stream_configuration configure(substrate& world, const stream_options& o,
                               const stream_freight& what) {
  buffer_place::numbers numbers = place_here(world).to_numbers();
  stated(o, what, world.size()).require(world, "stream", "a stream's", numbers);
  choice chosen = choose(world, o, what, buffer_place::from(numbers));
  // The environment may differ between PEs.
  const std::uint64_t bytes = chosen.buffer_bytes;
  const auto [most, complement, links] =
      largest<3>(world, {bytes, ~bytes, chosen.way.links(world.rank()).size()});
  if (o.look_ahead != 0 && o.look_ahead < links) {
    throw argument_error("look_ahead is " + text(o.look_ahead) + ", but a PE has up to " +
                         text(links) + " links (" + chosen.way.describe() +
                         "): give at least one item for each, or a route with fewer links");
  }
  if (~complement != most) {
    throw argument_error("the PEs would choose buffers between " + text(~complement) + " and " +
                         text(most) +
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
