#include "schedule/memory_reach.hpp"

#include <boxcar/error.hpp>

namespace boxcar::detail {

void require_reach(const schedule_graph& graph, const adapter& reached) {
  for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
    const graph_vertex& v = graph.vertices[i];
    if (v.kind == vertex_kind::compute) continue;
    if (reached.reaches(v.from) && reached.reaches(v.into)) continue;
    throw argument_error(graph.describe(static_cast<int>(i)) +
                         ": PEs that are processes cannot reach its memory; let it lie in a "
                         "window, and give that to schedule_builder::use");
  }
}

}  // namespace boxcar::detail
