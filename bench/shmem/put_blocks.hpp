#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. A put of OpenSHMEM into the memory of every other PE for each block, and then a
// barrier, or a fence and a flag for each; if the job is all-to-all.
void make_put_blocks(job& work, baselines& all);

}  // namespace boxcar::bench
