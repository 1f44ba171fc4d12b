// What a PE wants of a collective, and how it is to be done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/collective_options.hpp>
#include <boxcar/detail/collective_operation.hpp>
#include <boxcar/detail/combination_of_elements.hpp>

namespace boxcar::detail {

struct collective_request {
  collective_operation kind = collective_operation::barrier;
  int root = 0;
  std::span<const std::byte> in = {};
  std::span<std::byte> out = {};
  // Bytes of the blocks of all PEs: of those that are gathered or scattered; of those in `in`, if
  // all PEs have a block for each.
  std::vector<std::size_t> sizes = {};
  // All-to-all: of those in `out`, and where they begin in what their PEs give.
  std::vector<std::size_t> arriving = {};
  std::vector<std::size_t> places = {};
  bool has_equal_blocks = false;  // all-to-all: those of all PEs
  // All-to-all of neighbours: the PEs of these blocks, in their order.
  std::vector<int> to = {};
  std::vector<int> from = {};
  combination_of_elements how = {};
  std::size_t most_given = 0;  // bytes, by any PE
  // Exclusive scan: what stands before what PE 0 has; room for that as often as there are elements,
  // on PE 0; and whether equal values have equal bytes.
  std::vector<std::byte> first = {};
  std::span<std::byte> first_block = {};
  bool compares_first = true;

  // Where the block of a PE begins in what has one for each, by `sizes`.
  [[nodiscard]] std::size_t start_of_block(int pe) const {
    return std::accumulate(sizes.begin(), sizes.begin() + pe, std::size_t{0});
  }
  // All-to-all of as much for each PE: the sizes and places of blocks.
  void exchange_equal_blocks(int pe, int pes);
  // What only the root gives or gets is nothing elsewhere.
  void drop_what_does_not_count(bool is_root);
  // What travels is `out` alone.
  [[nodiscard]] bool is_in_place() const {
    return in.data() == out.data() && in.size() == out.size();
  }
};

// An element as often as there is room.
inline void repeat(std::span<const std::byte> element, std::span<std::byte> room) {
  for (; !room.empty(); room = room.subspan(element.size())) {
    std::ranges::copy(element, room.begin());
  }
}

[[nodiscard]] inline std::size_t sum_of(const std::vector<std::size_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

// Everything is chosen.
struct collective_way {
  topology over = topology::automatic;
  int fan_out = 2;
  std::size_t segment_bytes = 0;  // 0: in one piece
  bool by_node = false;
  // Then, but along trees: so many PEs of each node send to others, each a share of the data.
  std::size_t columns = 1;
  std::string reason;
};

// All PEs have a block, of the length of a span of each.
[[nodiscard]] bool has_blocks(collective_operation kind);
// Of these the block is what the PE gets.
[[nodiscard]] bool gets_a_block(collective_operation kind);
[[nodiscard]] bool has_root(collective_operation kind);
[[nodiscard]] std::string_view name_of(collective_operation kind);
// Of the function of a world that starts one; outlives all.
[[nodiscard]] const char* name_of_start(collective_operation kind);
[[nodiscard]] std::string_view name_of(topology t);
// "all_reduce on 4 PEs: butterfly, asked for".
[[nodiscard]] std::string explanation(const collective_request& call, const collective_way& way,
                                      int pes);
// Which can be used, between nodes as well.
[[nodiscard]] std::vector<topology> topologies_for(collective_operation kind);
[[nodiscard]] bool is_tree(topology t);
[[nodiscard]] bool can_go_over_shared_memory(collective_operation kind);

}  // namespace boxcar::detail
