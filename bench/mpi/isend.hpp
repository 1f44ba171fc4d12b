#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Isend per item, without any aggregation; for queries, one for each query and
// one for its reply.
void make_isend(job& work, baselines& all);

}  // namespace boxcar::bench
