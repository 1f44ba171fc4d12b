// Starts PEs that are fibers of this thread, on a simulated machine.
#pragma once

#include <functional>
#include <memory>

#include <boxcar/simulate.hpp>

#include "substrate/simulated/chosen_order.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Calls `pe` once on each PE, and returns when all calls have returned. `pe` must not throw. Throws
// argument_error, contract_error, system_error before any is called. The order is that of time, or
// chosen.
simulation start_fibers(const simulate_options& options, const chosen_order* order,
                        const std::function<void(std::unique_ptr<substrate>)>& pe);

// What makes the world of all PEs on one of them: as often as all PEs call it, a new one.
using world_source = std::function<std::unique_ptr<substrate>()>;

// The same for PEs that have memory of their own, which is in its place when `enter` has returned;
// it is called each time before a PE runs. They make their worlds when they need them.
simulation start_programs(const simulate_options& options,
                          const std::function<void(int rank)>& enter,
                          const std::function<void(int rank, const world_source& join)>& pe);

}  // namespace boxcar::detail
