// How data flow within nodes first. Between nodes they flow in columns: each has one PE of every
// node, which does for its node what is to be done with a share of the data; or all PEs of a node
// have one, their leader. Nodes may have any sizes. How data flow within a column is told by
// `between`. (Traeff and Hunold, Decomposing MPI Collectives for Exploiting Multi-lane
// Communication, 2020.)
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/node_grid.hpp"

namespace boxcar::detail {

// What the root has, to all. It is the first of its row. In pieces within nodes.
void broadcast_in_columns(
    flow& f, const node_grid& g, std::size_t columns, int root, std::span<std::byte> data,
    std::size_t element_bytes, std::size_t segment,
    const std::function<void(flow column, std::span<std::byte> share)>& between);

// What all have is combined in the order of the rows, for the root. In a column it comes to the PE
// of the root's node. In pieces within that.
void reduce_in_columns(flow& f, const node_grid& g, std::size_t columns, int root,
                       std::span<const std::byte> mine, std::span<std::byte> sum,
                       const combination_of_elements& how, std::size_t segment,
                       const std::function<void(flow column, std::span<std::byte> share)>& between);

// The same for all.
void all_reduce_in_columns(
    flow& f, const node_grid& g, std::size_t columns, std::span<const std::byte> mine,
    std::span<std::byte> sum, const combination_of_elements& how,
    const std::function<void(flow column, std::span<std::byte> share)>& between);

// One block of that. Between nodes go only blocks that are combined, each to its PE.
void reduce_scatter_in_columns(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                               std::span<const std::byte> from, std::span<std::byte> sum,
                               const combination_of_elements& how);

// All PEs have one block, in its place, and shall have those of all. Each goes to other nodes from
// its PE.
void all_gather_in_columns(flow& f, const node_grid& g, const blocks& all);
// Each node has one block, and a leader. The rows follow one another.
void all_gather_by_leaders(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                           std::span<std::byte> all,
                           const std::function<void(flow leaders, const blocks& all)>& between);

// Everybody hears that all have come.
void barrier_by_leaders(flow& f, const node_grid& g,
                        const std::function<void(flow leaders)>& between);

}  // namespace boxcar::detail
