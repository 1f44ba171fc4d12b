// A network on libfabric (cluster/network.hpp).
#pragma once

#include <memory>

#include "substrate/cluster/network.hpp"
#include "substrate/ofi/bootstrap.hpp"

namespace boxcar::detail::ofi {

// Collective over the job. With `is_one_machine`, no socket listens on an address visible to other
// machines, unless the program names a provider without any other address. Throws system_error.
std::shared_ptr<network> make_network(bootstrap& job, bool is_one_machine);

// Called at the end of the process: waits, but not for long, until pending failure notices are
// sent.
void finish_words() noexcept;

}  // namespace boxcar::detail::ofi
