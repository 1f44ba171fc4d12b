#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. One atomic operation, get or put of OpenSHMEM per item, depending on the job.
void make_one_sided(job& work, baselines& all);

}  // namespace boxcar::bench
