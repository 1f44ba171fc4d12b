// Failed calls into MPI become exceptions with MPI's own text.
#pragma once

#include <functional>
#include <mpi.h>
#include <span>

namespace boxcar::detail::mpi {

[[noreturn]] void throw_failure(int code, const char* function);
// Throws system_error if `code`, the result of `function`, reports a failure.
inline void check(int code, const char* function) {
  if (code != MPI_SUCCESS) throw_failure(code, function);
}

// Returns whether the request is null or has ended; a request that has ended becomes null.
inline bool has_ended(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  int flag = 0;
  check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
  return flag != 0;
}

// Waits until the operation started by `function` is done. Unlike a blocking call of MPI, `wait`
// yields the core: with more processes than cores, the awaited processes need the core, and some
// MPIs spin.
void wait(MPI_Request request, const char* function);

// Returns whether all requests have ended. For destructors, which must not throw: a request with an
// error counts as not ended.
bool all_ended(std::span<MPI_Request> requests) noexcept;

// Leaves the requests to MPI. MPI ends a request when it can, and may use the request's memory
// until then.
void let_go(std::span<MPI_Request> requests) noexcept;

// Waits until a condition holds, but not for long: the other PEs may call MPI no more. Returns
// whether the condition holds.
bool wait_briefly(const std::function<bool()>& condition);

// Waits until all requests have ended, but not for long, as wait_briefly does. Leaves
// requests that have not ended to MPI, and then returns false.
bool end_soon(std::span<MPI_Request> requests) noexcept;

// Cancels receives that are no longer wanted. Returns false if the receives do not end soon, as
// when a message is on its way whose sender calls MPI no more.
bool give_up(std::span<MPI_Request> receives) noexcept;

}  // namespace boxcar::detail::mpi
