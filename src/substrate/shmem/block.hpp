// The memory of link sets on OpenSHMEM: a block on every PE of a world, written by puts.
#pragma once

#include <memory>
#include <vector>

#include "substrate/put_links.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/shmem/symmetric_memory.hpp"

namespace boxcar::detail::shmem {

// Collective over `world`, whose PE i is PE members[i] for OpenSHMEM. The block is from the plan's
// allocator if the allocator has symmetric memory, otherwise from `heap`.
std::unique_ptr<remote_memory> make_block(substrate& world, const link_plan& plan,
                                          const rank_list& members,
                                          std::shared_ptr<symmetric_memory> heap,
                                          std::size_t bytes);

// Collective over `world`. Returns a block that lies at the same place on all PEs, so that each PE
// can access the block of any other PE. The block is always from `heap`, and returns to `heap` when
// destroyed: no PE may write to the block any more.
std::unique_ptr<remote_memory> make_block_of_all(substrate& world, const rank_list& members,
                                                 std::shared_ptr<symmetric_memory> heap,
                                                 std::size_t bytes);

}  // namespace boxcar::detail::shmem
