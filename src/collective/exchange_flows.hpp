// Data flows of symmetric algorithms, where all PEs take the same steps: around a ring, in pairs,
// over the distances 1, 2, 4, ... (dissemination), along the edges of a hypercube (butterfly), and
// over the distances of a circulant graph. All work for any number of PEs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/node_grid.hpp"

namespace boxcar::detail {

// --- Broadcast -----------------------------------------------------------------------------------
// The data travel in pieces of at most `segment` bytes.
void circulant_broadcast(flow& f, int root, std::span<std::byte> data, std::size_t segment);

// --- Reduce --------------------------------------------------------------------------------------
// On entry `sum` has the PE's own value; at the end the root's `sum` has the result.
// circulant_reduce combines in any order: a broadcast in reverse.
void circulant_reduce(flow& f, int root, std::span<std::byte> sum,
                      const combination_of_elements& how, std::size_t segment);
// Combines in the order of the PEs; each PE combines a block.
void pairwise_reduce(flow& f, int root, const std::vector<std::size_t>& sizes,
                     std::span<std::byte> sum, const combination_of_elements& how);

// --- All-gather ----------------------------------------------------------------------------------
// Precondition: the PE's own block is already in its place in `all`.
void ring_all_gather(flow& f, const blocks& all);
void pairwise_all_gather(flow& f, const blocks& all);
// Each PE sends `radix` - 1 messages in each round.
void disseminating_all_gather(flow& f, int radix, const blocks& all);
void butterfly_all_gather(flow& f, const blocks& all);

// --- All-to-all, also to the PE itself -----------------------------------------------------------
void pairwise_all_to_all(flow& f, const const_blocks& from, const blocks& into);
// Requires blocks of equal size: all data from the PEs of a node to a PE elsewhere travel together.
void grid_all_to_all(flow& f, const node_grid& g, const const_blocks& from, const blocks& into);
// Sends a block to each PE in `to`, and receives a block from each PE in `from`.
void neighbor_all_to_all(flow& f, const std::vector<int>& to, const const_blocks& given,
                         const std::vector<int>& from, const blocks& into);

// --- All-reduce and reduce-scatter in the order of the PEs ---------------------------------------
// The result has the same bits on all PEs, even for operations whose result depends on the
// grouping.
//
// On entry `sum` has the PE's own value, at the end the result.
void butterfly_all_reduce(flow& f, std::span<std::byte> sum, const combination_of_elements& how);
// Each PE gets the values of all PEs and combines them from PE 0 on, as in a pairwise
// reduce-scatter.
void gathering_all_reduce(flow& f, int radix, std::span<const std::byte> mine,
                          std::span<std::byte> sum, const combination_of_elements& how);
// PEs combine in different orders: only for exact combinations.
void disseminating_all_reduce(flow& f, std::span<const std::byte> mine, std::span<std::byte> sum,
                              const combination_of_elements& how);
// Each PE gets a block of the result. `sum` may be the PE's block in `from`.
void pairwise_reduce_scatter(flow& f, const const_blocks& from, std::span<std::byte> sum,
                             const combination_of_elements& how);

// --- Scans, inclusive and exclusive --------------------------------------------------------------
// In the exclusive form PE 0 supplies `before`.
void chain_scan(flow& f, std::span<std::byte> sum, const combination_of_elements& how,
                std::size_t segment);
void exclusive_chain_scan(flow& f, std::span<const std::byte> mine, std::span<std::byte> before,
                          const combination_of_elements& how, std::size_t segment);
// Scans within each row first, and then between rows by their last PEs. The rows have contiguous
// PEs; without nodes there is a single row of all PEs.
void disseminating_scan(flow& f, const node_grid& g, std::span<std::byte> sum,
                        const combination_of_elements& how);
void exclusive_disseminating_scan(flow& f, const node_grid& g, std::span<const std::byte> mine,
                                  std::span<std::byte> before, const combination_of_elements& how);

// --- Barriers ------------------------------------------------------------------------------------
void pairwise_barrier(flow& f);
void disseminating_barrier(flow& f, int radix);
void butterfly_barrier(flow& f);

}  // namespace boxcar::detail
