// A network on MPI (cluster/network.hpp).
#pragma once

#include <memory>
#include <mpi.h>

#include "substrate/cluster/network.hpp"

namespace boxcar::detail::mpi {

// Collective over `communicator`, which is duplicated: nothing that is sent here can be seen by a
// receive of the program. Throws argument_error if it is none that can be used.
std::shared_ptr<network> make_network(MPI_Comm communicator);

}  // namespace boxcar::detail::mpi
