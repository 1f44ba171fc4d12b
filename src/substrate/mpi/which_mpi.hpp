// Which MPI the functions that this library calls belong to, where a process has several of them.
#pragma once

#include <string>

namespace boxcar::detail::mpi {

// "Open MPI v4.1.4", or "MPICH Version: 4.0.2".
std::string library_version();

// Throws system_error if the program uses another MPI than the one that this library was built for:
// both would ask the same launcher for the same job, and neither knows the communicators of the
// other.
void refuse_other_mpi();

}  // namespace boxcar::detail::mpi
