#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Isend per item, without any aggregation; a query has an MPI_Isend for itself
// and another for its reply.
void make_isend(job& work, baselines& all);

}  // namespace boxcar::bench
