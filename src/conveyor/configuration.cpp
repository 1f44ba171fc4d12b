#include "conveyor/configuration.hpp"

#include <algorithm>

#include <boxcar/error.hpp>

#include "conveyor/path_choice.hpp"
#include "substrate/agreement.hpp"

namespace boxcar::detail {
namespace {

// Collects the arguments that must be equal on all PEs.
agreement stated(const conveyor_options& o, const item_format& what, int pes) {
  agreement all;
  const std::string problem = find_problem(o, what, pes);
  all.object(problem);
  all.on("item type", what.type.name);
  all.on("item size", what.item_bytes);
  all.on("elasticity", what.elastic);
  all.on("largest item", what.largest_elastic_item);
  all.on("kind", static_cast<int>(o.kind));
  all.on("hops", o.hops);
  all.on("local_group", o.local_group);
  all.on("buffer_bytes", o.buffer_bytes);
  all.on("BOXCAR_BUFFER_BYTES", problem.empty() ? wished_buffer(o) : 0);
  all.on("buffers_per_link", o.buffers_per_link);
  all.on("max_bytes", o.max_bytes);
  all.on("steady", o.steady);
  all.on("dynamic_memory", o.dynamic_memory);
  all.on("scatter", o.scatter);
  all.on("compress", o.compress);
  all.on("alert", o.alert);
  all.on("tune", o.tune);
  all.on("use of an allocator", o.memory != nullptr);
  all.on("route", o.way ? '"' + o.way->describe() + '"' : "\"to be chosen\"");
  return all;
}

// Copies the given options into a configuration.
configuration taken_over(const conveyor_options& options, const item_format& what) {
  configuration c;
  c.synchronous = options.kind == conveyor_kind::simple || options.kind == conveyor_kind::twohop;
  c.buffers_per_link = c.synchronous ? 2 : options.buffers_per_link;
  c.steady = options.steady;
  c.dynamic_memory = options.dynamic_memory;
  c.scatter = options.scatter;
  c.alert = options.alert;
  c.compress = options.compress && !what.elastic;
  c.memory = options.memory;
  c.way = options.way;
  return c;
}

// Returns the number of hops that the caller or the kind requires; 0: open.
int given_hops(const conveyor_options& options) {
  switch (options.kind) {
    case conveyor_kind::simple:
      return 1;
    case conveyor_kind::twohop:
      return 2;
    default:
      return options.hops;
  }
}

path_terms terms_of(const configuration& c) {
  return {c.buffers_per_link, c.compress};
}

configuration with_buffers(configuration c, const way_cost& cost) {
  c.cost = cost;
  c.buffers = fit(cost, c.wish, c.bound);
  c.buffer_bytes = c.buffers.buffer_bytes;
  return c;
}

configuration with_hops(const node_layout& nodes, const conveyor_options& options,
                        const configuration& c, int hops) {
  return over_hops(
      nodes, c, hops,
      options.local_group != 0 && hops > 1 ? options.local_group : choose_group(nodes, hops));
}

// Collective only if the path is given by a table.
configuration choose(substrate& world, const conveyor_options& options, const item_format& what,
                     const buffer_place& place) {
  const node_layout& nodes = world.layout();
  configuration c = taken_over(options, what);
  c.wish = {what.item_bytes, options.buffer_bytes, wished_buffer(options), place};
  // A path that the caller requests is used at any cost.
  if (options.max_bytes != 0) c.bound = memory_bound::of(options.max_bytes, place);
  if (c.way) {
    const tagged_route path = c.path(world.size());
    return with_buffers(c, path.is_by_table() ? cost_of(world, *c.way, terms_of(c))
                                              : cost_of(nodes, path, terms_of(c)));
  }
  if (const int hops = given_hops(options); hops != 0) {
    return with_hops(nodes, options, c, hops);
  }
  c.bound = memory_bound::of(options.max_bytes, place);
  configuration best = with_hops(nodes, options, c, 1);
  for (int hops = 2; hops <= 3 && best.buffers.objective != fit_objective::fewest_hops; ++hops) {
    configuration next = with_hops(nodes, options, c, hops);
    if (is_better(next.buffers, best.buffers)) best = std::move(next);
  }
  return best;
}

}  // namespace

configuration over_hops(const node_layout& nodes, configuration c, int hops, int group) {
  c.hops = hops;
  c.local_group = group;
  const way_cost cost = cost_of(nodes, c.path(nodes.pes()), terms_of(c));
  return with_buffers(c, cost);
}

configuration configure(substrate& world, const conveyor_options& o, const item_format& what) {
  buffer_place place = place_here(world);
  place.conveyors = what.conveyors;
  buffer_place::numbers numbers = place.to_numbers();
  const agreement mine = stated(o, what, world.size());
  mine.require(world, "conveyor", "a conveyor's", numbers);
  return choose(world, o, what, buffer_place::from(numbers));
}

std::string explain(const substrate& world, const conveyor_options& options,
                    const configuration& c) {
  std::string text = c.way ? c.way->describe() : c.path(world.size()).describe();
  text += c.synchronous ? ", synchronous\n" : ", asynchronous\n";
  const auto add = [&text](const std::string& line) { text += line + "\n"; };
  if (c.is_tuned) {
    add("hops, group and size of buffers: by tuning");
  } else if (c.way) {
    add("route: as asked for");
  } else if (given_hops(options) > 1 || options.hops != 0) {
    add("hops: as asked for");
  } else if (given_hops(options) == 0) {
    add("hops: " + reason_for(c.buffers, c.bound));
  }
  if (!c.is_tuned && !c.way && c.hops > 1) {
    add("group: " + (options.local_group != 0 ? "as asked for"
                                              : reason_for_group(world.layout(), c.local_group)));
  }
  add("buffers: " + std::to_string(c.cost.links) + " links times " +
      std::to_string(c.buffers_per_link) + " of " + std::to_string(c.buffer_bytes) + " bytes" +
      (c.is_tuned ? "" : reason_for_size(c.buffers, c.cost, c.wish, c.bound)));
  return text;
}

}  // namespace boxcar::detail
