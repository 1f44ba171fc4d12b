// Calls into MPI whose failure becomes an exception with MPI's own text.
#pragma once

#include <mpi.h>

namespace boxcar::detail::mpi {

// Throws system_error if `code`, which `function` returned, says that it failed.
void check(int code, const char* function);

// Waits until what `function` has started is done. Unlike a call of MPI that blocks it gives the
// core to others meanwhile: with more processes than cores these are what it waits for, and some
// MPIs spin.
void wait(MPI_Request request, const char* function);

}  // namespace boxcar::detail::mpi
