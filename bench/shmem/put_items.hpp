#pragma once

#include "baseline.hpp"

namespace boxcar::bench {

// One put of OpenSHMEM per item, into a place of its own on the PE that deals with it. For jobs of
// which one_sided.hpp does not say that they need less.
void make_put_items(job& work, baselines& all);

}  // namespace boxcar::bench
