#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Isend per item, without any aggregation; of queries, one for each and one for
// its reply.
void make_isend(job& work, baselines& all);

}  // namespace boxcar::bench
