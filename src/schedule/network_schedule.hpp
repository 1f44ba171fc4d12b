// A compiled schedule that is left to the network: each vertex is work that waits for counters of
// the network (substrate/deferred_work.hpp), so that a run goes on across nodes while no PE is in
// any function of Boxcar, and without progress threads.
//
// The protocols are those of schedule_state.hpp. A receive lets the sender put into its memory, or
// into a shadow of it, and a send lets the receiver put a word, the grant; the network counts both.
// What has several things to wait for has a counter of its own, by which it waits for them
// together. All puts of a PE, also those that grant, are counted at the end of its run: when that
// is over, nothing that it has asked for is under way.
#pragma once

#include <memory>
#include <string>

#include <boxcar/world.hpp>

#include "schedule/carrying.hpp"
#include "schedule/compiled_schedule.hpp"

namespace boxcar::detail {

// Collective. nullptr, on all PEs, if the network does not carry it out, with the reason in
// `why_not`. Throws argument_error on all PEs if the network shall, and it does no such work; or if
// memory of a vertex is not in the windows that the adapter is given, by `includes`: so it does not
// hang on the network whether a program is right.
[[nodiscard]] std::unique_ptr<compiled_schedule> make_network_schedule(
    const world& w, const matched_schedule& what, const including& includes,
    const carrying_request& asked, std::string& why_not);

}  // namespace boxcar::detail
