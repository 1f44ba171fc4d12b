// Puts and gets by libfabric (reach.hpp), in memory that the PEs of a node share and each registers
// its own part of. Where a part is, and by which key, its PE tells those that ask.
#pragma once

#include <cstddef>
#include <memory>

#include "substrate/ofi/counted_puts.hpp"
#include "substrate/ofi/endpoint.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/reach.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// Collective over `world`, whose PE i is PE members[i] of the job. nullptr, on all PEs, if one of
// them has no room or cannot register it, or if the provider cannot do it.
std::unique_ptr<reach> make_reach(substrate& world, const rank_list& members,
                                  std::shared_ptr<endpoint> at,
                                  std::shared_ptr<counted_puts> counted, std::size_t bytes);

}  // namespace boxcar::detail::ofi
