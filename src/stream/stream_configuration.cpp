#include "stream/stream_configuration.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/route_choice.hpp>

#include "grid/candidate_grids.hpp"
#include "model/fitting.hpp"
#include "route/links_of_route.hpp"
#include "substrate/agreement.hpp"
#include "substrate/environment.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

template <typename N>
std::string text(N n) {
  return std::to_string(n);
}

// Returns the cost of a route on the PE with the most links. Collective: each PE counts its links.
way_cost cost_of(substrate& world, const route& way, int buffers_per_link) {
  const auto per_link = static_cast<std::size_t>(buffers_per_link);
  std::size_t links = 1;  // to itself
  std::size_t buffers = per_link;
  for (const hop& link : way.links(world.rank())) {
    ++links;
    buffers += world.is_local(link.pe) ? per_link : per_link + 1;
  }
  const auto [max_links, max_buffers] = largest<2>(world, {links, buffers});
  return {way.stages(), max_links, max_buffers, 0, 0};
}

// Returns the cost of a grid, before a route exists.
way_cost cost_of(const node_layout& nodes, const grid_sizes& sizes, int buffers_per_link) {
  const auto per_link = static_cast<std::size_t>(buffers_per_link);
  way_cost cost{static_cast<int>(sizes.size()), 1, per_link, 0, 0};
  std::int64_t span = 1;  // number of PEs that differ only in dimension d or later dimensions
  for (std::size_t d = sizes.size(); d-- > 0;) {
    span *= sizes[d];
    const bool local =
        nodes.nodes() == 1 || (nodes.pes_per_node() != 0 && nodes.pes_per_node() % span == 0);
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

route route_of(const node_layout& nodes, grid_sizes sizes) {
  if (sizes.size() == 1) return route::direct(nodes.pes());
  sizes[0] = 0;  // the last slab may be incomplete
  return route::grid(nodes.pes(), sizes);
}

// Returns the grids that are possible as routes.
std::vector<grid_sizes> grids_of(const node_layout& nodes) {
  std::vector<grid_sizes> all = candidate_grids(nodes.pes(), std::max(nodes.pes_per_node(), 1));
  std::erase_if(all, [&nodes](const grid_sizes& sizes) {
    return cost_of(nodes, sizes, 1).links > max_links_of_route;
  });
  return all;
}

// Returns the grid with the fewest dimensions whose buffers fit.
choice choose_fewest_hops(const node_layout& nodes, const stream_options& o,
                          const buffer_wish& wish, const memory_bound& bound) {
  const std::vector<grid_sizes> grids = grids_of(nodes);
  grid_sizes best = grids.front();
  way_cost best_cost = cost_of(nodes, best, o.buffers_per_link);
  fitting best_fit = fit(best_cost, wish, bound);
  for (std::size_t i = 1; i < grids.size() && best_fit.objective != fit_objective::fewest_hops;
       ++i) {
    const way_cost cost = cost_of(nodes, grids[i], o.buffers_per_link);
    const fitting next_fit = fit(cost, wish, bound);
    if (!is_better(next_fit, best_fit)) continue;
    best = grids[i];
    best_cost = cost;
    best_fit = next_fit;
  }
  const std::string reasons =
      "hops: " + reason_for(best_fit, bound) + "\n" +
      about_buffers(best_fit.buffer_bytes, reason_for_size(best_fit, best_cost, wish, bound));
  return {route_of(nodes, best), best_fit.buffer_bytes, reasons};
}

// Chooses by the performance model for the number of items.
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
choice choose(substrate& world, const stream_options& o, const stream_item_format& what,
              const buffer_place& place) {
  const buffer_wish wish{std::max(what.item_bytes, what.min_buffer_bytes), o.buffer_bytes,
                         buffer_bytes_from_environment().value_or(0), place};
  if (o.way) {
    // A route that the client requests is used at any cost.
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

std::string find_problem(const stream_options& o, const stream_item_format& what, int pes) {
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
  if (o.buffer_bytes != 0 && o.buffer_bytes < what.min_buffer_bytes) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ", but the ticket of a large array needs " +
           text(what.min_buffer_bytes) + ": give at least that, or 0 to have a size chosen";
  }
  if (o.buffer_bytes > largest_buffer) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ": give at most " + text(largest_buffer);
  }
  if (o.tune && o.way && o.buffer_bytes != 0) {
    return "tune is true, but nothing is open: leave buffer_bytes (now " + text(o.buffer_bytes) +
           ") 0, or `way` (now " + o.way->describe() + "), or `tune` out";
  }
  if (o.flush_after.count() < 0) {
    return "flush_after is " + text(o.flush_after.count()) + " ns: give a time, or 0 for never";
  }
  return {};
}

// Collects the arguments that must be equal on all PEs.
agreement stated(const stream_options& o, const stream_item_format& what, int pes) {
  agreement all;
  all.object(find_problem(o, what, pes));
  all.on("item type", std::string(what.type.name) + (what.arrays ? "[]" : ""));
  all.on("item size", what.item_bytes);
  all.on("alignment", what.alignment);
  all.on("buffer_bytes", o.buffer_bytes);
  all.on("buffers_per_link", o.buffers_per_link);
  all.on("items_per_pe", o.items_per_pe);
  all.on("max_bytes", o.max_bytes);
  all.on("look_ahead", o.look_ahead);
  all.on("flush_after", o.flush_after.count());
  all.on("tune", o.tune);
  all.on("route", o.way ? '"' + o.way->describe() + '"' : "\"to be chosen\"");
  return all;
}

}  // namespace

stream_configuration configure(substrate& world, const stream_options& o,
                               const stream_item_format& what) {
  buffer_place::numbers numbers = place_here(world).to_numbers();
  stated(o, what, world.size()).require(world, "stream", "a stream's", numbers);
  const buffer_place place = buffer_place::from(numbers);
  choice chosen = choose(world, o, what, place);
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
  if (bytes < std::max(what.item_bytes, what.min_buffer_bytes)) {
    throw argument_error("BOXCAR_BUFFER_BYTES is " + text(bytes) +
                         ", but a buffer of this stream needs " +
                         text(std::max(what.item_bytes, what.min_buffer_bytes)) +
                         ": set it to at least that, or unset it");
  }
  return {chosen.way,   chosen.buffer_bytes, o.buffers_per_link,
          o.look_ahead, o.flush_after,       chosen.reasons,
          place};
}

std::vector<stream_candidate> candidates(substrate& world, const stream_options& o,
                                         const stream_item_format& what,
                                         const stream_configuration& usual) {
  // Buffers from a minimum size up to a multiple of the usual size are candidates.
  constexpr std::size_t larger = 16;
  constexpr std::size_t least_worth_trying = 256;
  const std::size_t needed = std::max(what.item_bytes, what.min_buffer_bytes);
  const buffer_wish wish{needed, o.buffer_bytes, buffer_bytes_from_environment().value_or(0),
                         usual.place};
  const memory_bound bound = memory_bound::of(o.max_bytes, usual.place);
  const bool sizes_are_open = wish.given == 0 && wish.preferred == 0;
  const auto with_sizes = [&](const route& way, const way_cost& cost, std::size_t bytes) {
    stream_candidate c{way, bytes, bytes, bytes};
    if (!sizes_are_open) return c;
    const std::size_t least = std::max(round_up_to_line(needed), least_worth_trying);
    while (c.min_bytes / 2 >= least) c.min_bytes /= 2;
    while (c.most_bytes < larger * bytes && 2 * c.most_bytes <= largest_buffer &&
           cost.bytes_with(2 * c.most_bytes) <= bound.bytes) {
      c.most_bytes *= 2;
    }
    return c;
  };
  std::vector<stream_candidate> all{
      with_sizes(usual.way, cost_of(world, usual.way, o.buffers_per_link), usual.buffer_bytes)};
  if (o.way) return all;
  const node_layout& nodes = world.layout();
  constexpr std::size_t max_dimensions_tried = 3;
  for (const grid_sizes& sizes : grids_of(nodes)) {
    if (sizes.size() > max_dimensions_tried) break;
    const route way = route_of(nodes, sizes);
    const way_cost cost = cost_of(nodes, sizes, o.buffers_per_link);
    const fitting found = fit(cost, wish, bound);
    const bool is_usual = way.describe() == usual.way.describe();
    // A route that does not fit in memory, or in the bound of items, is no candidate.
    if (is_usual || found.objective != fit_objective::fewest_hops) continue;
    if (o.look_ahead != 0 && o.look_ahead < cost.links) continue;
    all.push_back(with_sizes(way, cost, found.buffer_bytes));
  }
  return all;
}

}  // namespace boxcar::detail
