#pragma once

#include <cstdint>

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. Sorting by hand and rounds of MPI_Alltoallv, one way or with replies; each PE sends
// `items_of_a_round` items in a round.
void make_alltoallv(job& work, std::uint64_t items_of_a_round, baselines& all);

}  // namespace boxcar::bench
