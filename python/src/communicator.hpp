// A world from a communicator of mpi4py.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

namespace boxcar::python {

// Collective over the communicator, the MPI_Comm at the address. `mpi` names the MPI of the
// communicator: "openmpi", "mpich" or "mpi". Throws system_error if Boxcar has no library for the
// MPI, and the exceptions of boxcar::mpi::world_of.
world world_of_communicator(const std::string& mpi, std::uintptr_t address);

}  // namespace boxcar::python
