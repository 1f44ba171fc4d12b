// Calls into MPI whose failure becomes an exception with MPI's own text.
#pragma once

#include <mpi.h>

namespace boxcar::detail::mpi {

// Throws system_error if `code`, which `function` returned, says that it failed.
void check(int code, const char* function);

}  // namespace boxcar::detail::mpi
