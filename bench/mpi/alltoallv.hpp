#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. Sorting by hand and rounds of MPI_Alltoallv, one way or with replies.
void make_alltoallv(job& work, baselines& all);

}  // namespace boxcar::bench
