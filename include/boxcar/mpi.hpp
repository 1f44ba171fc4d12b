// Worlds for programs that use MPI themselves. To be linked with the library for their MPI,
// boxcar::mpi; programs that do not call MPI need none of this to run under mpirun
// (docs/clusters.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <mpi.h>

#include <boxcar/run.hpp>
#include <boxcar/world.hpp>

namespace boxcar::mpi {

namespace detail {
boxcar::detail::substrate* join(MPI_Comm communicator, const run_options& options);
}

// Collective over `communicator`: a world whose PE i is the process of rank i in it. The
// communicator is duplicated, so that no receive of the program ever sees a message of this
// library, and may be freed. PEs that can share memory are on one node.
//
// There may be many worlds at once, of the same or of different communicators. A world, and all
// that was made with it, belongs to the thread that made it; if MPI was initialised with
// MPI_THREAD_FUNNELED or less, that is the main thread, and with MPI_THREAD_SERIALIZED the program
// must not call MPI elsewhere meanwhile. Progress threads need MPI_THREAD_MULTIPLE. They are to be
// destroyed before MPI_Finalize.
//
// Throws argument_error if the communicator is MPI_COMM_NULL or an intercommunicator, or if MPI
// does not allow the progress threads that were asked for, contract_error if MPI has been finalised
// or the thread may not call it, and system_error with MPI's text if MPI refuses something. If MPI
// is not initialised, it is now, and is finalised when the program ends.
[[nodiscard]] inline world world_of(MPI_Comm communicator, const run_options& options = {}) {
  return boxcar::detail::world_of_joined(detail::join(communicator, options));
}

}  // namespace boxcar::mpi
