#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. MPI_Isend and MPI_Irecv of a block to and from every other PE, if the job is
// all-to-all.
void make_send_blocks(job& work, baselines& all);

}  // namespace boxcar::bench
