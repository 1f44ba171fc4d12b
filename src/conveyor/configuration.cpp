#include "conveyor/configuration.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>

#include "porter/porter.hpp"
#include "route/factorisations.hpp"
#include "substrate/environment.hpp"
#include "substrate/node_layout.hpp"

namespace boxcar::detail {
namespace {

// The links of a path, as far as what they cost depends on it.
struct link_counts {
  // Of each PE, by hop. Not by a table all have as many, and one stands for all.
  std::vector<std::vector<std::size_t>> of_pe;
  std::vector<bool> remote;    // by hop: some lead to another node
  std::size_t list_bytes = 0;  // of the path

  // The most that a PE has.
  [[nodiscard]] std::size_t most() const {
    std::size_t most = 0;
    for (const auto& by_hop : of_pe) {
      most = std::max(most, std::accumulate(by_hop.begin(), by_hop.end(), std::size_t{0}));
    }
    return most;
  }
};

// Of every PE; not by a table.
std::vector<std::size_t> links_by_hop(const tagged_route& path) {
  std::vector<std::size_t> links;
  for (int hop = 0; hop < path.hops(); ++hop) links.push_back(path.peers(hop, 0).size());
  return links;
}

// Some links of this hop lead to another node. Not by a table.
bool is_remote(substrate& world, const tagged_route& path, int hop) {
  const bool within_groups = path.hops() > 1 && hop != 1;
  for (int pe = 0; pe < world.size(); ++pe) {
    const int first = within_groups ? pe / path.group() * path.group() : 0;
    if (world.node_of(pe) != world.node_of(first)) return true;
  }
  return false;
}

link_counts count_links(substrate& world, const configuration& c) {
  const tagged_route path = c.path(world.size());
  link_counts counts;
  counts.list_bytes = path.list_bytes();
  if (!path.is_by_table()) {
    counts.of_pe.push_back(links_by_hop(path));
    for (int hop = 0; hop < path.hops(); ++hop)
      counts.remote.push_back(is_remote(world, path, hop));
    return counts;
  }
  const auto hops = static_cast<std::size_t>(path.hops());
  counts.remote.resize(hops);
  for (int pe = 0; pe < world.size(); ++pe) {
    std::vector<std::size_t> here(hops);
    for (const auto& link : c.way->links(pe)) {
      const auto hop = static_cast<std::size_t>(link.stage);
      ++here[hop];
      if (world.node_of(pe) != world.node_of(link.pe)) counts.remote[hop] = true;
    }
    ++here.back();  // to itself
    counts.of_pe.push_back(std::move(here));
  }
  return counts;
}

std::size_t links_in_groups(int hops, int pes, int group) {
  const auto links = links_by_hop(tagged_route::with_hops(hops, pes, group));
  return std::accumulate(links.begin(), links.end(), std::size_t{0});
}

// The PEs of a node, if there are several nodes of the same size; otherwise 0.
int pes_of_each_node(substrate& world) {
  const int pes = pes_per_node(world);
  return pes < world.size() ? pes : 0;
}

// The largest part of a node with which all PEs have work on the second of three hops. There the
// PEs of one row of a group send to the group of the same number: with fewer groups than rows, few
// PEs would carry all that goes to other nodes.
int busy_group(int pes, int per_node) {
  int group = 1;
  for (const int d : divisors(per_node)) {
    if (d <= pes / d) group = d;
  }
  return group;
}

// The node, or a part of it, if there are several, else the divisor that makes for the fewest
// links.
int choose_group(substrate& world, int hops) {
  if (hops == 1) return 1;
  const auto fewer_links = [&](int a, int b) {
    return links_in_groups(hops, world.size(), a) < links_in_groups(hops, world.size(), b);
  };
  const int per_node = pes_of_each_node(world);
  if (per_node == 0) return std::ranges::min(divisors(world.size()), fewer_links);
  if (hops == 2) return per_node;
  // A part may be so small that its links are too many.
  return std::min(busy_group(world.size(), per_node), per_node, fewer_links);
}

std::size_t memory_needed(const link_counts& links, const configuration& c) {
  // What is held whatever the links, with each link, and with each of its buffers.
  constexpr std::size_t fixed = 4096;
  constexpr std::size_t with_link = 144;
  constexpr std::size_t with_buffer = 48;
  const auto per_link = static_cast<std::size_t>(c.buffers_per_link);
  const std::size_t room = porter::room_for(c.buffer_bytes);
  std::size_t most = 0;
  for (const auto& by_hop : links.of_pe) {
    std::size_t bytes = 0;
    for (std::size_t hop = 0; hop < by_hop.size(); ++hop) {
      // What goes to another node is filled in one buffer more.
      const std::size_t buffers = links.remote[hop] ? per_link + 1 : per_link;
      bytes += by_hop[hop] * (with_link + buffers * (room + with_buffer));
    }
    most = std::max(most, bytes);
  }
  const auto remote_hops = static_cast<std::size_t>(std::ranges::count(links.remote, true));
  const std::size_t scratch = c.compress ? remote_hops * compression::scratch_for(room) : 0;
  return fixed + links.list_bytes + most + scratch;
}

// Of a PE with this many links.
buffer_size choose_for(std::size_t links, const substrate& world, const configuration& c) {
  const bool several_hops = c.path(world.size()).hops() > 1;
  return choose_buffer_size(links, c.item_bytes, c.place, several_hops);
}

// The buffers, where the path is known. An open size is halved until they fit under the bound.
configuration with_buffers(substrate& world, const conveyor_options& options, configuration c) {
  c.buffer_bytes = options.buffer_bytes;
  if (options.buffer_bytes != 0) return c;
  const link_counts links = count_links(world, c);
  c.buffer_bytes =
      c.wished_buffer_bytes != 0 ? c.wished_buffer_bytes : choose_for(links.most(), world, c).bytes;
  if (options.max_bytes == 0) return c;
  const std::size_t least = std::max<std::size_t>(round_up_to_line(c.item_bytes), 64);
  while (c.buffer_bytes / 2 >= least && memory_needed(links, c) > options.max_bytes) {
    c.buffer_bytes /= 2;
  }
  return c;
}

// The group and the buffers, for a number of hops.
configuration with_hops(substrate& world, const conveyor_options& options, configuration c,
                        int hops) {
  c.hops = hops;
  c.local_group =
      options.local_group != 0 && hops > 1 ? options.local_group : choose_group(world, hops);
  return with_buffers(world, options, c);
}

// Why a number of hops is better than the others under a bound on memory. The reasons come one
// after the other: the later only if no number of hops meets the earlier.
enum class merit { fewest_hops, largest_buffers, least_memory };

merit merit_of(substrate& world, const conveyor_options& options, const configuration& c) {
  if (memory_needed(world, c) > options.max_bytes) return merit::least_memory;
  // Better another hop than buffers that are much too small.
  const bool fair = options.buffer_bytes != 0 || c.buffer_bytes >= least_chosen_buffer;
  return fair ? merit::fewest_hops : merit::largest_buffers;
}

configuration choose_hops(substrate& world, const conveyor_options& options,
                          const configuration& c) {
  configuration best = with_hops(world, options, c, 1);
  for (int hops = 2; hops <= 3; ++hops) {
    const configuration next = with_hops(world, options, c, hops);
    const merit of_best = merit_of(world, options, best);
    const merit of_next = merit_of(world, options, next);
    const bool better = of_next != of_best ? of_next < of_best
                        : of_best == merit::largest_buffers
                            ? next.buffer_bytes > best.buffer_bytes
                            : of_best == merit::least_memory &&
                                  memory_needed(world, next) < memory_needed(world, best);
    if (better) best = next;
  }
  return best;
}

// What BOXCAR_BUFFER_BYTES says, where that counts; else 0. Throws argument_error.
std::size_t wished_buffer(const conveyor_options& options) {
  return options.buffer_bytes != 0 ? 0 : buffer_bytes_from_environment().value_or(0);
}

configuration choose(substrate& world, const conveyor_options& options, const freight& what,
                     const buffer_place& place) {
  configuration c;
  c.item_bytes = what.item_bytes;
  c.place = place;
  c.wished_buffer_bytes = wished_buffer(options);
  c.synchronous = options.kind == conveyor_kind::simple || options.kind == conveyor_kind::twohop;
  c.buffers_per_link = c.synchronous ? 2 : options.buffers_per_link;
  c.steady = options.steady;
  c.dynamic_memory = options.dynamic_memory;
  c.scatter = options.scatter;
  c.alert = options.alert;
  c.compress = options.compress && !what.elastic;
  c.memory = options.memory;
  c.way = options.way;
  if (c.way) return with_buffers(world, options, c);
  const int hops = options.kind == conveyor_kind::simple   ? 1
                   : options.kind == conveyor_kind::twohop ? 2
                                                           : options.hops;
  if (hops == 0 && options.max_bytes != 0) return choose_hops(world, options, c);
  return with_hops(world, options, c, std::max(hops, 1));
}

// What a buffer must hold, for messages.
std::string need_of(const freight& what) {
  return (what.elastic ? "what speaks for a large item has " : "an item has ") +
         std::to_string(what.item_bytes) + " bytes";
}

std::string find_problem(const conveyor_options& o, const freight& what, int pes) {
  const auto text = [](auto n) { return std::to_string(n); };
  const std::size_t item_bytes = what.item_bytes;
  if (item_bytes == 0 || item_bytes > largest_item) {
    return "an item of " + text(item_bytes) + " bytes cannot be sent: 1 to " + text(largest_item) +
           " bytes; send larger ones in pieces, or through an elastic conveyor";
  }
  if (o.kind < conveyor_kind::automatic || o.kind > conveyor_kind::twohop) {
    return "kind is " + text(static_cast<int>(o.kind)) + ", which is none: give a conveyor_kind";
  }
  if (o.buffers_per_link != 1 && o.buffers_per_link != 2 && o.buffers_per_link != 4) {
    return "buffers_per_link is " + text(o.buffers_per_link) + ": give 1, 2 or 4";
  }
  if (o.buffer_bytes != 0 && o.buffer_bytes < item_bytes) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ", but " + need_of(what) +
           ": give at least that, or 0 to have a size chosen";
  }
  if (o.buffer_bytes > largest_buffer) {
    return "buffer_bytes is " + text(o.buffer_bytes) + ": give at most " + text(largest_buffer);
  }
  if (o.way && o.way->pes() != pes) {
    return "the route is for " + text(o.way->pes()) + " PEs (" + o.way->describe() +
           "), but the world has " + text(pes) + ": make it for as many";
  }
  if (o.way && (o.hops != 0 || o.local_group != 0)) {
    return "a route is given (" + o.way->describe() +
           "), which tells the hops: leave `hops` and `local_group` 0";
  }
  if (o.hops < 0 || o.hops > 3) {
    return "hops is " + text(o.hops) + ": give 1, 2 or 3, or 0 to have it chosen";
  }
  const std::size_t wished = wished_buffer(o);
  if (wished != 0 && wished < item_bytes) {
    return "BOXCAR_BUFFER_BYTES is " + text(wished) + ", but " + need_of(what) +
           ": set it to at least that, or unset it";
  }
  if (wished > largest_buffer) {
    return "BOXCAR_BUFFER_BYTES is " + text(wished) + ": set it to at most " +
           text(largest_buffer) + ", or unset it";
  }
  const int kind_hops = o.kind == conveyor_kind::simple   ? 1
                        : o.kind == conveyor_kind::twohop ? 2
                                                          : 0;
  if (kind_hops != 0 && o.hops != 0 && o.hops != kind_hops) {
    return "hops is " + text(o.hops) + ", but this kind of conveyor has " + text(kind_hops) +
           ": leave it 0";
  }
  if (o.way && kind_hops != 0) {
    return "a route is given (" + o.way->describe() +
           "), and routes drive asynchronous conveyors: leave `kind` automatic or tensor";
  }
  if (what.elastic && kind_hops != 0) {
    return "elastic conveyors are asynchronous: leave `kind` automatic or tensor";
  }
  if (what.elastic && o.scatter) {
    return "elastic conveyors do not prefetch: leave `scatter` out";
  }
  const int hops_of_way = o.way ? o.way->function().tagged().hops() : 0;  // throws, if too long
  if (o.scatter && (o.hops > 1 || kind_hops == 2 || hops_of_way > 1)) {
    return "scatter is for conveyors of one hop: with more, buffers are few and stay in the cache";
  }
  if (o.local_group < 0)
    return "local_group is " + text(o.local_group) + ": give a divisor of " + text(pes);
  if (o.local_group > 0)
    tagged_route::with_hops(std::max({o.hops, kind_hops, 2}), pes, o.local_group);
  return {};
}

// The same, also if it comes as an exception.
std::string describe_problem(const conveyor_options& o, const freight& what, int pes) {
  try {
    return find_problem(o, what, pes);
  } catch (const argument_error& e) {
    return e.what();
  }
}

// What this PE asks for, or the reason why that cannot work. Plain bytes, to be gathered.
struct request {
  static constexpr std::array names{"item size",
                                    "elasticity",
                                    "largest item",
                                    "kind",
                                    "hops",
                                    "local_group",
                                    "buffer_bytes",
                                    "BOXCAR_BUFFER_BYTES",
                                    "buffers_per_link",
                                    "max_bytes",
                                    "steady",
                                    "dynamic_memory",
                                    "scatter",
                                    "compress",
                                    "alert",
                                    "use of an allocator"};
  std::array<std::uint64_t, names.size()> values{};
  std::uint64_t type = 0;
  char type_name[120] = {};
  char route[160] = {};
  // These need not be the same.
  buffer_place place;
  char problem[300] = {};
};

}  // namespace

configuration configure(substrate& world, const conveyor_options& o, const freight& what) {
  request mine;
  const std::string problem = describe_problem(o, what, world.size());
  problem.copy(mine.problem, sizeof mine.problem - 1);
  mine.values = {what.item_bytes,
                 what.elastic,
                 what.largest_elastic_item,
                 static_cast<std::uint64_t>(o.kind),
                 static_cast<std::uint64_t>(o.hops),
                 static_cast<std::uint64_t>(o.local_group),
                 o.buffer_bytes,
                 problem.empty() ? wished_buffer(o) : 0,
                 static_cast<std::uint64_t>(o.buffers_per_link),
                 o.max_bytes,
                 o.steady,
                 o.dynamic_memory,
                 o.scatter,
                 o.compress,
                 o.alert,
                 o.memory != nullptr};
  mine.type = what.type.hash;
  what.type.name.copy(mine.type_name, sizeof mine.type_name - 1);
  const std::string way = o.way ? o.way->describe() : "to be chosen";
  way.copy(mine.route, sizeof mine.route - 1);
  mine.place = place_here(world);
  mine.place.conveyors = what.conveyors;
  std::vector<request> all(static_cast<std::size_t>(world.size()));
  world.all_gather(std::as_bytes(std::span(&mine, 1)), reinterpret_cast<std::byte*>(all.data()));
  buffer_place place = mine.place;
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    place = place.with(all[pe].place);
    if (all[pe].problem[0] != '\0') {
      throw argument_error("conveyor on PE " + std::to_string(pe) + ": " + all[pe].problem);
    }
    if (all[0].type != all[pe].type) {
      throw argument_error(std::string("the PEs disagree on the type of a conveyor's items: PE 0 "
                                       "gives ") +
                           all[0].type_name + ", PE " + std::to_string(pe) + " gives " +
                           all[pe].type_name + "; give the same on all PEs");
    }
    const auto [first, other] =
        std::mismatch(all[0].values.begin(), all[0].values.end(), all[pe].values.begin());
    if (first == all[0].values.end()) {
      if (std::string_view(all[0].route) == all[pe].route) continue;
      throw argument_error(std::string("the PEs disagree on a conveyor's route: PE 0 gives \"") +
                           all[0].route + "\", PE " + std::to_string(pe) + " gives \"" +
                           all[pe].route + "\"; give the same on all PEs");
    }
    const auto which = static_cast<std::size_t>(first - all[0].values.begin());
    throw argument_error(std::string("the PEs disagree on a conveyor's ") + request::names[which] +
                         ": PE 0 gives " + std::to_string(*first) + ", PE " + std::to_string(pe) +
                         " gives " + std::to_string(*other) + "; give the same on all PEs");
  }
  return choose(world, o, what, place);
}

std::size_t memory_needed(substrate& world, const configuration& c) {
  return memory_needed(count_links(world, c), c);
}

namespace {

std::string why_this_size(const substrate& world, const conveyor_options& options,
                          const configuration& c, std::size_t links) {
  if (options.buffer_bytes != 0) return ", as asked for";
  if (c.wished_buffer_bytes != 0) return ", from BOXCAR_BUFFER_BYTES";
  const auto [bytes, why] = choose_for(links, world, c);
  if (c.buffer_bytes < bytes) {
    return ": " + std::to_string(bytes) + ", halved until all fit in " +
           std::to_string(options.max_bytes) + " bytes";
  }
  return ": " + why;
}

}  // namespace

std::string explain(substrate& world, const conveyor_options& options, const configuration& c) {
  std::string text = c.way ? c.way->describe() : c.path(world.size()).describe();
  text += c.synchronous ? ", synchronous\n" : ", asynchronous\n";
  const auto add = [&text](const std::string& line) { text += line + "\n"; };
  const std::size_t links = count_links(world, c).most();
  if (c.way) {
    add("route: as asked for");
  } else if (options.hops != 0 || options.kind == conveyor_kind::twohop) {
    add("hops: as asked for");
  } else if (options.max_bytes == 0) {
    add("hops: one, because no memory bound is given");
  } else {
    const std::string bound = std::to_string(options.max_bytes) + " bytes";
    const merit m = merit_of(world, options, c);
    add(m == merit::fewest_hops       ? "hops: the fewest whose buffers fit in " + bound
        : m == merit::largest_buffers ? "hops: those that leave the largest buffers in " + bound
                                      : "hops: those that need least, as nothing fits in " + bound);
  }
  if (!c.way && c.hops > 1) {
    const int per_node = pes_of_each_node(world);
    add(options.local_group != 0    ? "group: as asked for"
        : per_node == c.local_group ? "group: the PEs of a node"
        : per_node != 0
            ? "group: the largest part of a node with which all PEs take part in all hops"
            : "group: the divisor of the number of PEs that gives the fewest links");
  }
  add("buffers: " + std::to_string(links) + " links times " + std::to_string(c.buffers_per_link) +
      " of " + std::to_string(c.buffer_bytes) + " bytes" + why_this_size(world, options, c, links));
  return text;
}

}  // namespace boxcar::detail
