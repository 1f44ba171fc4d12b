// The start of PEs that are fibers of one thread, on a simulated machine.
#pragma once

#include <functional>
#include <memory>

#include <boxcar/simulate.hpp>

#include "substrate/simulated/chosen_order.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Calls `pe` once on each PE, and returns when all calls have returned. `pe` must not throw. Throws
// argument_error, contract_error, system_error before any call. Events happen by time if `order` is
// null, otherwise in the chosen order.
simulation start_fibers(const simulate_options& options, const chosen_order* order,
                        const std::function<void(std::unique_ptr<substrate>)>& pe);

// A world_source makes the world of all PEs on the calling PE: a new world each time that all PEs
// call the source.
using world_source = std::function<std::unique_ptr<substrate>()>;

// Starts PEs with memory of their own, which is in place when `enter` has returned; `enter` is
// called each time before a PE runs. The PEs make their worlds when needed.
simulation start_programs(const simulate_options& options,
                          const std::function<void(int rank)>& enter,
                          const std::function<void(int rank, const world_source& join)>& pe);

}  // namespace boxcar::detail
