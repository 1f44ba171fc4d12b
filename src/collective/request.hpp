// A PE's request for a collective, and the selected algorithm.
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
  // Bytes of the blocks of all PEs: of gathered or scattered blocks, or of the blocks in `in` for
  // all-to-all.
  std::vector<std::size_t> sizes = {};
  // All-to-all: bytes of the blocks in `out`, and their offsets in the sender's input.
  std::vector<std::size_t> arriving = {};
  std::vector<std::size_t> places = {};
  bool has_equal_blocks = false;  // all-to-all: the blocks of all PEs have one size
  // Neighbour all-to-all: the destinations and sources of the blocks, in order.
  std::vector<int> to = {};
  std::vector<int> from = {};
  combination_of_elements how = {};
  std::size_t most_given = 0;  // bytes, maximum over all PEs
  // Exclusive scan: the first value, before the value of PE 0; memory on PE 0 for as many copies as
  // there are elements; and whether equal values have equal bytes.
  std::vector<std::byte> first = {};
  std::span<std::byte> first_block = {};
  bool compares_first = true;

  // Returns the offset of the block of a PE in contiguous blocks of the sizes in `sizes`.
  [[nodiscard]] std::size_t start_of_block(int pe) const {
    return std::accumulate(sizes.begin(), sizes.begin() + pe, std::size_t{0});
  }
  // Sets `sizes`, `arriving` and `places` for an all-to-all of equal blocks.
  void exchange_equal_blocks(int pe, int pes);
  // Clears the input or output that only the root uses.
  void drop_what_does_not_count(bool is_root);
  // Returns whether `out` is also the input.
  [[nodiscard]] bool is_in_place() const {
    return in.data() == out.data() && in.size() == out.size();
  }
};

// Fills `room` with copies of an element.
inline void repeat(std::span<const std::byte> element, std::span<std::byte> room) {
  for (; !room.empty(); room = room.subspan(element.size())) {
    std::ranges::copy(element, room.begin());
  }
}

[[nodiscard]] inline std::size_t sum_of(const std::vector<std::size_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

// The complete selection of an algorithm.
struct collective_way {
  topology over = topology::automatic;
  int fan_out = 2;
  std::size_t segment_bytes = 0;  // 0: a single piece
  bool by_node = false;
  // With by_node, except for trees: so many PEs of each node send to other nodes, each a share of
  // the data.
  std::size_t columns = 1;
  std::string reason;
};

// Returns whether the data consist of a block for each PE, of the length of a span of each PE.
[[nodiscard]] bool has_blocks(collective_operation kind);
// Precondition: has_blocks(kind). Returns whether the PE's block is the output.
[[nodiscard]] bool gets_a_block(collective_operation kind);
[[nodiscard]] bool has_root(collective_operation kind);
[[nodiscard]] std::string_view name_of(collective_operation kind);
// Returns the name of the asynchronous function of a world; static storage.
[[nodiscard]] const char* name_of_start(collective_operation kind);
[[nodiscard]] std::string_view name_of(topology t);
// Returns a text like "all_reduce on 4 PEs: butterfly, asked for".
[[nodiscard]] std::string explanation(const collective_request& call, const collective_way& way,
                                      int pes);
// Returns the possible topologies, within and between nodes.
[[nodiscard]] std::vector<topology> topologies_for(collective_operation kind);
[[nodiscard]] bool is_tree(topology t);
[[nodiscard]] bool can_go_over_shared_memory(collective_operation kind);

}  // namespace boxcar::detail
