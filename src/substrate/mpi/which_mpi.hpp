// Functions to identify the MPI under this library, where a process has several MPIs.
#pragma once

#include <string>

namespace boxcar::detail::mpi {

// Returns "Open MPI v4.1.4", for instance, or "MPICH Version: 4.0.2".
std::string library_version();

// Throws system_error if the program uses another MPI than this library was built for: both MPIs
// would ask one launcher for one job, and neither MPI knows the communicators of the other MPI.
void refuse_other_mpi();

}  // namespace boxcar::detail::mpi
