// Calls into MPI whose failure becomes an exception with MPI's own text.
#pragma once

#include <mpi.h>
#include <span>

namespace boxcar::detail::mpi {

[[noreturn]] void throw_failure(int code, const char* function);
// Throws system_error if `code`, which `function` returned, says that it failed.
inline void check(int code, const char* function) {
  if (code != MPI_SUCCESS) throw_failure(code, function);
}

// Waits until what `function` has started is done. Unlike a call of MPI that blocks it gives the
// core to others meanwhile: with more processes than cores these are what it waits for, and some
// MPIs spin.
void wait(MPI_Request request, const char* function);

// For destructors, which must not throw: what MPI says to have failed counts as not ended.
bool all_ended(std::span<MPI_Request> requests) noexcept;

// They are MPI's, which ends them when it can; until then it may use the memory that they name.
void let_go(std::span<MPI_Request> requests) noexcept;

// Waits until all have ended, but not for long: the other PEs may call MPI no more. Lets go of what
// has not, and returns false.
bool end_soon(std::span<MPI_Request> requests) noexcept;

// Ends receives that nobody waits for any more. False if that does not happen soon, as when a
// message is on its way whose sender calls MPI no more.
bool give_up(std::span<MPI_Request> receives) noexcept;

}  // namespace boxcar::detail::mpi
