// The exit of a process with a PE on libfabric.
#pragma once

#include "substrate/ofi/bootstrap.hpp"

namespace boxcar::detail::ofi {

// Registers the exit handler: when the program exits, the process departs from its worlds, and
// reports the exit to the launcher. PEs waiting for the process must not wait for ever.
void watch_end(bootstrap& job);

// Returns whether the program has not exited yet.
[[nodiscard]] bool is_running() noexcept;
// Throws contract_error if the program has exited.
void require_running();

}  // namespace boxcar::detail::ofi
