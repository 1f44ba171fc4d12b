// A typical hand-written exchange for PEs with shared memory, threads or processes: in rounds,
// every PE sorts a buffer of items by their destinations; when all PEs have, each PE reads its
// share from the buffers of all other PEs.
#pragma once

#include <cstdint>

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. Each PE sorts `items_of_a_round` items in a round. Precondition: can_share_blocks.
void make_shared_rounds(world& w, job& work, std::uint64_t items_of_a_round, baselines& all);

}  // namespace boxcar::bench
