#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. A block is put into the memory of every other PE by OpenSHMEM, and then there is a
// barrier, or a fence and a flag for each; if that is the job.
void make_put_blocks(job& work, baselines& all);

}  // namespace boxcar::bench
