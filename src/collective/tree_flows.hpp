// How data flow along a tree. Segments of at most so many bytes, or 0, follow one another through
// the tree (pipelined).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "collective/blocks.hpp"
#include "collective/flow.hpp"
#include "collective/tree.hpp"

namespace boxcar::detail {

// From one PE to another.
void send_all(flow& f, std::span<const std::byte> data, int to, std::size_t segment);
void receive_all(flow& f, std::span<std::byte> data, int from, std::size_t segment);

// What the root has, to all.
void broadcast_down(flow& f, const tree& t, std::span<std::byte> data, std::size_t segment);

// What all have, combined in the order of the tree: at the root in `sum`. Others that have PEs
// below them combine what those have, in `sum` or, if that is empty, in memory of their own. `sum`
// may be `mine`.
void reduce_up(flow& f, const tree& t, std::span<const std::byte> mine, std::span<std::byte> sum,
               const combination_of_elements& how, std::size_t segment);

// What all have goes to the root. PEs that have others below them keep the blocks in `all`, or
// where that is empty in memory of their own. `mine` may be its block there.
void gather_up(flow& f, const tree& t, std::span<const std::byte> mine,
               const std::vector<std::size_t>& sizes, std::span<std::byte> all,
               std::size_t segment);

// The block of each PE, from the root's `all` into `mine`.
void scatter_down(flow& f, const tree& t, std::span<const std::byte> all,
                  const std::vector<std::size_t>& sizes, std::span<std::byte> mine,
                  std::size_t segment);
// The same into its block in `all`, which every PE has.
void scatter_in_place(flow& f, const tree& t, const std::vector<std::size_t>& sizes,
                      std::span<std::byte> all, std::size_t segment);

// Everybody hears that all have come, and that what the root does then has ended.
void tree_barrier(flow& f, const tree& t, const std::function<void()>& at_root = {});

}  // namespace boxcar::detail
