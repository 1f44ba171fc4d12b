// Puts and gets of OpenSHMEM (rma_region.hpp).
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/rank_list.hpp"
#include "substrate/rma_region.hpp"
#include "substrate/shmem/symmetric_memory.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::shmem {

// Collective over `world`, whose PE i is PE members[i] of OpenSHMEM. Returns nullptr, on all PEs,
// if there is no room, or if the PEs of a node cannot see each other's memory.
std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                            std::shared_ptr<symmetric_memory> heap,
                                            std::size_t bytes);

}  // namespace boxcar::detail::shmem
