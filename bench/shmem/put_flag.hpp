#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. A put, a fence and a flag of OpenSHMEM: in turns, or along a pipeline, whichever is
// the job.
void make_put_flag(job& work, baselines& all);

}  // namespace boxcar::bench
