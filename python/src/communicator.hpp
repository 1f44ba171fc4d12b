// A world from a communicator of mpi4py.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

namespace boxcar::python {

// Collective over the communicator, the MPI_Comm at this address. `mpi` is which MPI it is of:
// "openmpi", "mpich" or "mpi". Throws system_error if Boxcar has no library for that, and what
// boxcar::mpi::world_of throws.
world world_of_communicator(const std::string& mpi, std::uintptr_t address);

}  // namespace boxcar::python
