// The end of a process that is a PE on libfabric.
#pragma once

#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// When the program exits, this process departs from the worlds that it is still in, and the
// launcher is told how it ends: whoever waits for this process must not wait for ever.
void watch_end(meeting& job);

// The program has not come to its end.
[[nodiscard]] bool is_running() noexcept;
// Throws contract_error if it has.
void require_running();

}  // namespace boxcar::detail::ofi
