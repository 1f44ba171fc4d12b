#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. MPI_Send and MPI_Recv: in turns, or along a pipeline, whichever is the job.
void make_send_receive(job& work, baselines& all);

}  // namespace boxcar::bench
