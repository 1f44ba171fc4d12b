// A network on OpenSHMEM (cluster/network.hpp).
#pragma once

#include <memory>

#include "substrate/cluster/network.hpp"

namespace boxcar::detail::shmem {

// Collective over all PEs.
std::shared_ptr<network> make_network();

}  // namespace boxcar::detail::shmem
