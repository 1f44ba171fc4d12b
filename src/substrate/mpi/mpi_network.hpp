// A network on MPI (cluster/network.hpp).
#pragma once

#include <memory>
#include <mpi.h>

#include "substrate/cluster/network.hpp"

namespace boxcar::detail::mpi {

// Collective over `communicator`. The network duplicates `communicator`: no receive of the program
// can see the network's messages. Throws argument_error if `communicator` cannot be used.
std::shared_ptr<network> make_network(MPI_Comm communicator);

}  // namespace boxcar::detail::mpi
