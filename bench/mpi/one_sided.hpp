#pragma once

#include <string>

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One MPI_Accumulate, MPI_Get or MPI_Put per item, depending on the job.
void make_one_sided(job& work, baselines& all);

// The name of the baseline.
[[nodiscard]] std::string one_sided_name(table_job::access kind);

}  // namespace boxcar::bench
