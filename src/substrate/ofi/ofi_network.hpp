// A network on libfabric (cluster/network.hpp).
#pragma once

#include <memory>

#include "substrate/cluster/network.hpp"
#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// Collective over the job. If its PEs are on one machine, nothing listens on an address that others
// see, unless the program names a provider that has no other. Throws system_error.
std::shared_ptr<network> make_network(meeting& job, bool is_one_machine);

// The process ends: a PE that has not heard yet that one has failed is waited for, but not for
// long.
void finish_words() noexcept;

}  // namespace boxcar::detail::ofi
