#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// One put of OpenSHMEM per item, into a place of its own on the destination PE. For jobs unless
// one_sided.hpp says that they need less.
void make_put_items(job& work, baselines& all);

}  // namespace boxcar::bench
