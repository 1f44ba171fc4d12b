// How data flow where all PEs do the same: around a ring, in pairs, over the distances 1, 2, 4, ...
// (dissemination), along the edges of a hypercube (butterfly), over the distances of a circulant
// graph. Any number of PEs will do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/node_grid.hpp"

namespace boxcar::detail {

// --- What the root has, to all -------------------------------------------------------------------
// In pieces of at most so many bytes.
void circulant_broadcast(flow& f, int root, std::span<std::byte> data, std::size_t segment);

// --- What all have, combined, to the root --------------------------------------------------------
// In `sum` at first what the PE has, in the end at the root what all have.
// In any order: a broadcast backwards.
void circulant_reduce(flow& f, int root, std::span<std::byte> sum,
                      const combination_of_elements& how, std::size_t segment);
// In the order of the PEs: each combines a block.
void pairwise_reduce(flow& f, int root, const std::vector<std::size_t>& sizes,
                     std::span<std::byte> sum, const combination_of_elements& how);

// --- All PEs have one block each, and shall have those of all ------------------------------------
// Its own is in its place already.
void ring_all_gather(flow& f, const blocks& all);
void pairwise_all_gather(flow& f, const blocks& all);
// In rounds of `radix` - 1 messages of each PE.
void disseminating_all_gather(flow& f, int radix, const blocks& all);
void butterfly_all_gather(flow& f, const blocks& all);

// --- All have a block for each, also for themselves ----------------------------------------------
void pairwise_all_to_all(flow& f, const const_blocks& from, const blocks& into);
// The same for blocks of one size: what the PEs of a node have for a PE elsewhere travels together.
void grid_all_to_all(flow& f, const node_grid& g, const const_blocks& from, const blocks& into);
// A block for each PE in `to`, and one of each in `from`.
void neighbor_all_to_all(flow& f, const std::vector<int>& to, const const_blocks& given,
                         const std::vector<int>& from, const blocks& into);

// --- All have as much, which is to be combined in the order of the PEs ---------------------------
// The result has the same bits on all PEs, also where elements that are grouped otherwise give
// others.
//
// In `sum` at first what the PE has, in the end what all have.
void butterfly_all_reduce(flow& f, std::span<std::byte> sum, const combination_of_elements& how);
// Each PE gets what all have, and combines it from PE 0 on; so do PEs in a pairwise reduce-scatter.
void gathering_all_reduce(flow& f, int radix, std::span<const std::byte> mine,
                          std::span<std::byte> sum, const combination_of_elements& how);
// PEs combine in other orders: for what is exact.
void disseminating_all_reduce(flow& f, std::span<const std::byte> mine, std::span<std::byte> sum,
                              const combination_of_elements& how);
// One block of what all have. It may be the PE's block in `from`.
void pairwise_reduce_scatter(flow& f, const const_blocks& from, std::span<std::byte> sum,
                             const combination_of_elements& how);

// --- What the PEs up to this one have, or those before it ----------------------------------------
// The first has `before` in the exclusive form.
void chain_scan(flow& f, std::span<std::byte> sum, const combination_of_elements& how,
                std::size_t segment);
void exclusive_chain_scan(flow& f, std::span<const std::byte> mine, std::span<std::byte> before,
                          const combination_of_elements& how, std::size_t segment);
// Within each row first, and between rows by their ends. The rows follow one another; or there is
// one, of all PEs.
void disseminating_scan(flow& f, const node_grid& g, std::span<std::byte> sum,
                        const combination_of_elements& how);
void exclusive_disseminating_scan(flow& f, const node_grid& g, std::span<const std::byte> mine,
                                  std::span<std::byte> before, const combination_of_elements& how);

// --- Nothing, but everybody hears that all have come ---------------------------------------------
void pairwise_barrier(flow& f);
void disseminating_barrier(flow& f, int radix);
void butterfly_barrier(flow& f);

}  // namespace boxcar::detail
