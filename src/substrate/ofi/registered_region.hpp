// Puts and gets by libfabric (rma_region.hpp), in memory that the PEs of a node share. Each PE
// registers its own segment, and sends address and key of the segment to PEs on request.
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/ofi/counted_puts.hpp"
#include "substrate/ofi/endpoint.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/rma_region.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// Collective over `world`, whose PE i is PE members[i] of the job. Returns nullptr, on all PEs, if
// a PE has no memory or cannot register the memory, or if the provider has no puts and gets.
std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                            std::shared_ptr<endpoint> at,
                                            std::shared_ptr<counted_puts> counted,
                                            std::size_t bytes);

}  // namespace boxcar::detail::ofi
