#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// Appends a baseline with one put of OpenSHMEM per item, into a place of its own on the destination
// PE, unless one_sided.hpp says that the job needs less.
void make_put_items(job& work, baselines& all);

}  // namespace boxcar::bench
