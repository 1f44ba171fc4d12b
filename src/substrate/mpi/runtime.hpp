// Whether MPI is there: initialised by the program, or by this library on its behalf.
#pragma once

#include <atomic>

namespace boxcar::detail::mpi {

// Initialises MPI if nobody has. Then it is finalised when the program ends with exit status 0, and
// the job is aborted when it ends with another: whoever waits for this process must not wait for
// ever. For the same reason this process departs from all worlds that it is still in when MPI is
// finalised, by whomever, or the program exits. `many_threads`: several threads of this process are
// to call MPI at a time. Throws system_error.
void start(bool many_threads);

// What is to be done at the beginning of MPI_Finalize, while MPI can still be used. One only.
void before_end(void (*action)());

// Set at the beginning of MPI_Finalize, by which time nothing may be under way.
extern std::atomic<bool> is_finalised;
// MPI_Finalize has not been called. (The same thread calls it, or one that follows.)
[[nodiscard]] inline bool is_running() noexcept {
  return !is_finalised.load(std::memory_order_relaxed);
}
[[noreturn]] void refuse_after_end();
// Throws contract_error if it has.
inline void require_running() {
  if (!is_running()) refuse_after_end();
}

// Throws contract_error if MPI's thread level does not allow this thread to call it.
void require_thread_level();
// Throws argument_error if that does not allow several threads to call it at a time.
void require_many_threads();

}  // namespace boxcar::detail::mpi
