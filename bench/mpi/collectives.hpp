#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. MPI's own collectives: blocking; begun and waited for; made once, started and waited
// for, if the MPI supports it.
void make_mpi_collectives(job& work, baselines& all);

}  // namespace boxcar::bench
