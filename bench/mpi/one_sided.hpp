#pragma once

#include <string>

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Accumulate, MPI_Get or MPI_Put per item, whichever does the job.
void make_one_sided(job& work, baselines& all);

// What that is called.
[[nodiscard]] std::string one_sided_name(table_job::access kind);

}  // namespace boxcar::bench
