// A network on libfabric (cluster/network.hpp).
#pragma once

#include <memory>

#include "substrate/cluster/network.hpp"
#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// Collective over the job. Throws system_error.
std::shared_ptr<network> make_network(meeting& job);

// The process ends: a PE that has not heard yet that one has failed is waited for, but not for
// long.
void finish_words() noexcept;

}  // namespace boxcar::detail::ofi
