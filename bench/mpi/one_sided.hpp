#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Accumulate, MPI_Get or MPI_Put per item, whichever does the job.
void make_one_sided(job& work, baselines& all);

}  // namespace boxcar::bench
