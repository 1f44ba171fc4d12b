// A compiled schedule that the network executes by triggered operations: each vertex is deferred
// work that waits for counters of the network (substrate/deferred_work.hpp). A run makes progress
// across nodes while no PE is in any function of Boxcar, and without progress threads.
//
// The protocols are those of schedule_state.hpp. A receive lets the sender put into its memory, or
// into a shadow of the memory, and a send lets the receiver put a word, the grant; the network
// counts both. A vertex with several dependencies has a counter of its own, which combines them.
// All puts of a PE, also grants, are counted at the end of a run: when the run is over, none of the
// PE's operations is in flight.
#pragma once

#include <memory>
#include <string>

#include <boxcar/world.hpp>

#include "schedule/backend.hpp"
#include "schedule/compiled_schedule.hpp"

namespace boxcar::detail {

// Collective. Returns nullptr on all PEs if the network does not execute the schedule, with the
// reason in `why_not`. Throws argument_error on all PEs if the caller requires the network and the
// network does not support deferred work; or if memory of a vertex lies in no window of `includes`,
// so that the correctness of a program does not depend on the network.
[[nodiscard]] std::unique_ptr<compiled_schedule> make_network_schedule(
    const world& w, const matched_schedule& what, const include_functions& includes,
    const backend_request& asked, std::string& why_not);

}  // namespace boxcar::detail
