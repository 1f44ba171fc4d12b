// Data flows along a tree. Segments of at most `segment` bytes (0: a single segment) are pipelined
// through the tree.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/tree.hpp"

namespace boxcar::detail {

// Sends or receives point to point.
void send_all(flow& f, std::span<const std::byte> data, int to, std::size_t segment);
void receive_all(flow& f, std::span<std::byte> data, int from, std::size_t segment);

// Broadcasts the root's data.
void broadcast_down(flow& f, const tree& t, std::span<std::byte> data, std::size_t segment);

// Combines the values of all PEs in the order of the tree; the root gets the result in `sum`. Other
// inner PEs combine their subtrees in `sum`, or in scratch memory if `sum` is empty. `sum` may be
// `mine`.
void reduce_up(flow& f, const tree& t, std::span<const std::byte> mine, std::span<std::byte> sum,
               const combination_of_elements& how, std::size_t segment);

// Gathers the blocks of all PEs at the root. Inner PEs store the blocks in `all`, or in scratch
// memory if `all` is empty. `mine` may be the PE's block in `all`.
void gather_up(flow& f, const tree& t, std::span<const std::byte> mine,
               const std::vector<std::size_t>& sizes, std::span<std::byte> all,
               std::size_t segment);

// Scatters blocks from the root's `all` into each PE's `mine`.
void scatter_down(flow& f, const tree& t, std::span<const std::byte> all,
                  const std::vector<std::size_t>& sizes, std::span<std::byte> mine,
                  std::size_t segment);
// Like scatter_down, but every PE has `all`, and gets its block in place.
void scatter_in_place(flow& f, const tree& t, const std::vector<std::size_t>& sizes,
                      std::span<std::byte> all, std::size_t segment);

// A barrier: completes on each PE after all PEs have entered and the root's `at_root` steps have
// completed.
void tree_barrier(flow& f, const tree& t, const std::function<void()>& at_root = {});

}  // namespace boxcar::detail
