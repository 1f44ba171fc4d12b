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

}  // namespace boxcar::detail
