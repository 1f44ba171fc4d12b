// The messages that nobody reads after a failure, or when a program ends in the middle of a
// session. They are read and dropped at the beginning of MPI_Finalize: MPICH on UCX prints a
// warning for each message that is never received, at its sender and at its receiver.
#pragma once

#include <mpi.h>
#include <span>

namespace boxcar::detail::mpi {

// Drops messages on the communicators until every PE of each communicator has made the call, but
// not for long: some PEs may never make the call. Precondition: no receive of Boxcar is posted.
void drop_last_messages(std::span<const MPI_Comm> communicators) noexcept;

}  // namespace boxcar::detail::mpi
