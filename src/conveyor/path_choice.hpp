// Which path a conveyor's items take where that is left open: how many hops, and in which groups.
#pragma once

#include <string>

#include <boxcar/route.hpp>

#include "model/fitting.hpp"
#include "route/tagged_route.hpp"
#include "substrate/node_layout.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// What does not depend on the path.
struct path_terms {
  int buffers_per_link = 2;
  bool compress = false;
};

// Of two hops, groups need not divide the number of PEs.
tagged_route path_in_groups(int hops, int pes, int group);

// Not by a table: all PEs have about as many links.
way_cost cost_of(const node_layout& nodes, const tagged_route& path, const path_terms& terms);
// Collective: each PE counts its own links.
way_cost cost_of(substrate& world, const route& way, const path_terms& terms);

// The PEs of a group. Of two hops the node, or several whole nodes, if there are several nodes of
// more than one PE; of three hops the node or a part of it. Where a group that respects nodes makes
// for more than four times as many links as need be, and where there are no such nodes, the number
// with which there are the fewest links; of three hops the divisor that does so.
int choose_group(const node_layout& nodes, int hops);
// The number of PEs, be they of one node or not, with which there are the fewest links.
int group_of_fewest_links(int pes, int hops);
// Why it is that one.
std::string reason_for_group(const node_layout& nodes, int group);

}  // namespace boxcar::detail
