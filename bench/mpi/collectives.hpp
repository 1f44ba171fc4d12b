#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. MPI's own: blocking; begun and waited for; made once, started and waited for, if this
// MPI has that.
void make_mpi_collectives(job& work, baselines& all);

}  // namespace boxcar::bench
