// Checks that other PEs can access the memory that the vertices of a PE name.
#pragma once

#include <boxcar/adapter.hpp>

#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

// Throws argument_error, with the vertex, if a vertex names memory outside the windows included in
// `reached`. (Functions may use any memory.)
void require_reach(const schedule_graph& graph, const adapter& reached);

}  // namespace boxcar::detail
