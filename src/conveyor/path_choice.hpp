// Chooses the path of a conveyor's items if the caller left it open: the number of hops, and the
// groups.
#pragma once

#include <string>

#include <boxcar/route.hpp>

#include "model/fitting.hpp"
#include "route/tagged_route.hpp"
#include "substrate/node_layout.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Options that affect the cost of any path.
struct path_terms {
  int buffers_per_link = 2;
  bool compress = false;
};

// With two hops, groups need not divide the number of PEs.
tagged_route path_in_groups(int hops, int pes, int group);

// All PEs have about as many links. Precondition: the path is not given by a table.
way_cost cost_of(const node_layout& nodes, const tagged_route& path, const path_terms& terms);
// Collective: each PE counts its own links.
way_cost cost_of(substrate& world, const route& way, const path_terms& terms);

// Returns the number of PEs of a group. With two hops the group is a node, or several whole nodes,
// if there are several nodes of more than one PE; with three hops a node or a part of a node.
// Without such nodes, or if such groups have more than four times the minimum number of links, the
// group has the number of PEs with the fewest links; with three hops, the divisor with the fewest
// links.
int choose_group(const node_layout& nodes, int hops);
// Returns the number of PEs, within or across nodes, with the fewest links.
int group_of_fewest_links(int pes, int hops);
// Returns the reason for the group.
std::string reason_for_group(const node_layout& nodes, int group);

}  // namespace boxcar::detail
