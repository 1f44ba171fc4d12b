// Whether others reach the memory that vertices of a PE name.
#pragma once

#include <boxcar/adapter.hpp>

#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

// Throws argument_error with the vertex whose memory is not that of a window which `reached` knows.
// (Functions use any.)
void require_reach(const schedule_graph& graph, const adapter& reached);

}  // namespace boxcar::detail
