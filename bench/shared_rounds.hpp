// What somebody would write by hand for PEs that see the same memory, threads or processes: in
// rounds, every PE sorts as many items as fit in a buffer of its own by their destinations; when
// all have, each reads its share in the buffers of all others.
#pragma once

#include <cstdint>

#include "baseline.hpp"

namespace boxcar::bench {

// Collective. Each PE sorts so many items in a round. The PEs must be such that can_share_blocks.
void make_shared_rounds(world& w, job& work, std::uint64_t items_of_a_round, baselines& all);

}  // namespace boxcar::bench
