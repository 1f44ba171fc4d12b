// Matches sends with receives by simulating a run of all PEs: hence the matching is a possible
// outcome of a run, and a deadlock is found, too. Pure.
//
// In the paper, sends and receives that match in several ways may match in any way
// (offloaded-collectives-2013, section II.A): the matching is chosen once, when a schedule is
// compiled (pre-matching, section IV.B).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

// The data of a vertex that other PEs need.
struct outlined_vertex {
  vertex_kind kind = vertex_kind::send;
  int pe = any_pe;
  int tag = any_tag;
  std::size_t bytes = 0;
  std::vector<int> after;
  std::string description;
};
using outline = std::vector<outlined_vertex>;

[[nodiscard]] outline outline_of(const schedule_graph& graph);
[[nodiscard]] std::vector<std::byte> packed(const outline& one);
// `pes` is the number of PEs. Throws world_error if the bytes are not those of an outline.
[[nodiscard]] outline unpacked(std::span<const std::byte> bytes, int pes);

struct matching {
  std::vector<std::vector<vertex_place>> partners;  // of each vertex of each PE
  std::string problem;                              // the reason if there is no matching
};

// Limits of eager messages, which are sent before the receive is posted.
struct eager_limits {
  std::size_t between_nodes = 0;
  std::optional<std::size_t> within_node = {};  // none: not even empty messages are eager

  [[nodiscard]] bool allow(std::size_t bytes, bool is_local) const {
    if (!is_local) return bytes <= between_nodes;
    return within_node && bytes <= *within_node;
  }
};

// `node_of` has the node of each PE.
[[nodiscard]] matching match_all(const std::vector<outline>& pes, const std::vector<int>& node_of,
                                 const eager_limits& eager);

}  // namespace boxcar::detail
