// Which send goes to which receive, found by going through a run of all PEs together: so what is
// found is one of the ways in which the run can come to its end, and if it cannot, that is found as
// well. Pure.
//
// The paper says that sends and receives that match in more than one way may match in any
// (offloaded-collectives-2013, section II.A): so the way is chosen once, when a schedule is
// compiled (pre-matching, section IV.B).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

// What others need to know of a vertex.
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
[[nodiscard]] outline unpacked(std::span<const std::byte> bytes);

struct matching {
  std::vector<std::vector<vertex_place>> partners;  // of each vertex of each PE
  std::string problem;                              // why there is none
};

// Messages up to so many bytes are sent whether they are received or not.
struct eager_limits {
  std::size_t between_nodes = 0;
  std::optional<std::size_t> within_node = {};  // none are, not even empty ones

  [[nodiscard]] bool allow(std::size_t bytes, bool is_local) const {
    if (!is_local) return bytes <= between_nodes;
    return within_node && bytes <= *within_node;
  }
};

// `node_of` each PE.
[[nodiscard]] matching match_all(const std::vector<outline>& pes, const std::vector<int>& node_of,
                                 const eager_limits& eager);

}  // namespace boxcar::detail
