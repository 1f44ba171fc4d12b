// The header makes worlds for programs that use MPI themselves. The program is linked with the
// library for its MPI, boxcar::mpi; programs that do not call MPI run under mpirun without the
// header (docs/clusters.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <mpi.h>

#include <boxcar/run.hpp>
#include <boxcar/world.hpp>

namespace boxcar::mpi {

namespace detail {
boxcar::detail::substrate* join(MPI_Comm communicator, const run_options& options);
}

// Collective over `communicator`. Returns a world; PE i is the process of rank i of the
// communicator. The communicator is duplicated, so that no receive of the program ever sees a
// message of Boxcar, and may be freed. PEs that can share memory are on one node.
//
// Several worlds may exist at once, of the same or of different communicators. Thread safety: a
// world, and everything that was made with the world, belongs to the thread that made the world. If
// MPI was initialised with MPI_THREAD_FUNNELED or less, the thread must be the main thread; with
// MPI_THREAD_SERIALIZED the program must not call MPI elsewhere meanwhile. Progress threads need
// MPI_THREAD_MULTIPLE. Worlds must be destroyed before MPI_Finalize.
//
// Throws argument_error if the communicator is MPI_COMM_NULL or an intercommunicator, or if MPI
// does not allow the requested progress threads; contract_error if MPI has been finalised or the
// thread may not call MPI; and system_error with MPI's text if MPI returns an error. If MPI is not
// initialised, `world_of` initialises MPI, and MPI is finalised when the program ends.
[[nodiscard]] inline world world_of(MPI_Comm communicator, const run_options& options = {}) {
  return boxcar::detail::world_of_joined(detail::join(communicator, options));
}

}  // namespace boxcar::mpi
