#include "conveyor/path_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "grid/factorisations.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

// Returns whether links of the hop lead to other nodes. Precondition: the path is not given by a
// table.
bool is_remote(const node_layout& nodes, const tagged_route& path, int hop) {
  const bool within_groups = path.hops() > 1 && hop != 1;
  return within_groups ? !nodes.keeps_together(path.group()) : nodes.nodes() > 1;
}

std::size_t links_in_groups(int hops, int pes, int group) {
  const tagged_route path = path_in_groups(hops, pes, group);
  std::size_t links = 0;
  for (int hop = 0; hop < hops; ++hop) links += path.max_links(hop);
  return links;
}

// Returns the PEs per node if there are several nodes of one size (the last node may be smaller);
// otherwise 0.
int pes_of_each_node(const node_layout& nodes) {
  const int pes = nodes.pes_per_node_but_last();
  return pes < nodes.pes() ? pes : 0;
}

// Returns the largest part of a node with which all PEs have work on the second of three hops. On
// the second hop the PEs of a row of a group send to the group with the number of the row: with
// fewer groups than rows, only a few PEs would send all traffic to other nodes.
int busy_group(int pes, int per_node) {
  int group = 1;
  for (const int d : divisors(per_node)) {
    if (d <= pes / d) group = d;
  }
  return group;
}

// Returns the size of a group of whole nodes, with about as many PEs as there are groups.
int group_of_nodes(int pes, int per_node) {
  const auto nodes = std::lround(std::sqrt(pes) / per_node);
  return static_cast<int>(std::max(nodes, 1L)) * per_node;
}

// Returns groups that respect nodes, the best first. With such groups less traffic crosses nodes,
// which pays unless there are many more links than necessary.
std::vector<int> groups_by_node(int pes, int hops, int per_node) {
  // Within a group of a single PE an item makes no hop.
  if (per_node < 2) return {};
  if (hops == 2) return {per_node, group_of_nodes(pes, per_node)};
  if (pes % per_node != 0) return {};
  // A part of a node may be so small that there are too many links.
  std::vector<int> possible{busy_group(pes, per_node), per_node};
  std::erase_if(possible, [](int group) { return group > largest_tensor_group; });
  std::ranges::stable_sort(possible, {},
                           [&](int group) { return links_in_groups(hops, pes, group); });
  return possible;
}

}  // namespace

tagged_route path_in_groups(int hops, int pes, int group) {
  return hops == 2 ? tagged_route::matrix_with_short_row(pes, group)
                   : tagged_route::with_hops(hops, pes, group);
}

way_cost cost_of(const node_layout& nodes, const tagged_route& path, const path_terms& terms) {
  const auto per_link = static_cast<std::size_t>(terms.buffers_per_link);
  way_cost cost;
  cost.hops = path.hops();
  cost.other_bytes = path.list_bytes();
  for (int hop = 0; hop < path.hops(); ++hop) {
    const std::size_t links = path.max_links(hop);
    const bool remote = is_remote(nodes, path, hop);
    cost.links += links;
    cost.buffers += links * (remote ? per_link + 1 : per_link);
    if (terms.compress && remote) ++cost.compressed_hops;
  }
  return cost;
}

way_cost cost_of(substrate& world, const route& way, const path_terms& terms) {
  const auto per_link = static_cast<std::size_t>(terms.buffers_per_link);
  way_cost mine;
  mine.links = 1;  // to itself
  mine.buffers = per_link;
  int compressed = -1;
  for (const hop& link : way.links(world.rank())) {
    const bool remote = !world.is_local(link.pe);
    ++mine.links;
    mine.buffers += remote ? per_link + 1 : per_link;
    if (terms.compress && remote && link.stage != compressed) {
      compressed = link.stage;
      ++mine.compressed_hops;
    }
  }
  const auto [links, buffers, compressed_hops] =
      largest<3>(world, {mine.links, mine.buffers, mine.compressed_hops});
  return {way.stages(), links, buffers, 0, compressed_hops};
}

int group_of_fewest_links(int pes, int hops) {
  const auto links = [&](int group) { return links_in_groups(hops, pes, group); };
  std::vector<int> possible = divisors(pes);
  if (hops > 2) std::erase_if(possible, [](int group) { return group > largest_tensor_group; });
  const int divisor = std::ranges::min(possible, {}, links);
  if (hops > 2) return divisor;
  // A complete last row balances the load, which is worth some links.
  const int even = static_cast<int>(std::sqrt(pes));
  const int any = links(even + 1) < links(even) && even < pes ? even + 1 : even;
  return 4 * links(divisor) <= 5 * links(any) ? divisor : any;
}

int choose_group(const node_layout& nodes, int hops) {
  if (hops == 1) return 1;
  constexpr std::size_t many_times = 4;
  const int pes = nodes.pes();
  const int fewest = group_of_fewest_links(pes, hops);
  const std::size_t most = many_times * links_in_groups(hops, pes, fewest);
  for (const int group : groups_by_node(pes, hops, pes_of_each_node(nodes))) {
    if (links_in_groups(hops, pes, group) <= most) return group;
  }
  return fewest;
}

std::string reason_for_group(const node_layout& nodes, int group) {
  const int per_node = pes_of_each_node(nodes);
  if (per_node > 1) {
    if (per_node == group) return "the PEs of a node";
    if (per_node % group == 0) {
      return "the largest part of a node with which all PEs take part in all hops";
    }
    if (group % per_node == 0) {
      return "the PEs of several nodes, as those of one give many more links";
    }
  }
  return nodes.pes() % group == 0
             ? "the divisor of the number of PEs that gives the fewest links"
             : "the number of PEs that gives the fewest links, as divisors give many more";
}

}  // namespace boxcar::detail
