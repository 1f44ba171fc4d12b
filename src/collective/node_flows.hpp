// Hierarchical data flows: within nodes first, then between nodes in columns. A column has a PE of
// every node, and the PE handles a share of the node's data; or a single column has the leaders of
// all nodes. Nodes may have any sizes. `between` defines the flow within a column. (Traeff and
// Hunold, Decomposing MPI Collectives for Exploiting Multi-lane Communication, 2020.)
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/node_grid.hpp"

namespace boxcar::detail {

// Broadcasts from the root, which is the first PE of its row. Segments are used within nodes.
void broadcast_in_columns(
    flow& f, const node_grid& g, std::size_t columns, int root, std::span<std::byte> data,
    std::size_t element_bytes, std::size_t segment,
    const std::function<void(flow column, std::span<std::byte> share)>& between);

// Reduces to the root in the order of the rows. In a column the result arrives at the PE of the
// root's node. Segments are used within the root's node.
void reduce_in_columns(flow& f, const node_grid& g, std::size_t columns, int root,
                       std::span<const std::byte> mine, std::span<std::byte> sum,
                       const combination_of_elements& how, std::size_t segment,
                       const std::function<void(flow column, std::span<std::byte> share)>& between);

// Like reduce_in_columns, for all PEs.
void all_reduce_in_columns(
    flow& f, const node_grid& g, std::size_t columns, std::span<const std::byte> mine,
    std::span<std::byte> sum, const combination_of_elements& how,
    const std::function<void(flow column, std::span<std::byte> share)>& between);

// Like all_reduce_in_columns, but each PE gets a block. Between nodes only combined blocks travel,
// each directly to its PE.
void reduce_scatter_in_columns(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                               std::span<const std::byte> from, std::span<std::byte> sum,
                               const combination_of_elements& how);

// Precondition: each PE's block is in its place in `all`. Each PE sends its block to other nodes.
void all_gather_in_columns(flow& f, const node_grid& g, const blocks& all);
// Each node has a block, and a leader. The rows have contiguous PEs.
void all_gather_by_leaders(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                           std::span<std::byte> all,
                           const std::function<void(flow leaders, const blocks& all)>& between);

// A barrier over trees within nodes and `between` the leaders.
void barrier_by_leaders(flow& f, const node_grid& g,
                        const std::function<void(flow leaders)>& between);

}  // namespace boxcar::detail
