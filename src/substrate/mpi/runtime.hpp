// The state of MPI: initialised by the program, or by this library on the program's behalf.
#pragma once

#include <atomic>

namespace boxcar::detail::mpi {

// Initialises MPI if the program has not. Then MPI is finalised when the program ends with exit
// status 0, and the job is aborted when the program ends with another status: PEs that wait for
// this process must not wait for ever. For the same reason this process departs from all its worlds
// when MPI is finalised, by any caller, or the program exits. `many_threads`: several threads of
// this process will call MPI at a time. Throws system_error.
void start(bool many_threads);

// Sets the action at the beginning of MPI_Finalize, while MPI can still be used. There is only one
// action.
void before_end(void (*action)());

// Set at the beginning of MPI_Finalize, when no operation may be in flight any more.
extern std::atomic<bool> is_finalised;
// Returns whether MPI_Finalize has not been called. (The same thread calls MPI_Finalize, or a
// thread that follows.)
[[nodiscard]] inline bool is_running() noexcept {
  return !is_finalised.load(std::memory_order_relaxed);
}
[[noreturn]] void refuse_after_end();
// Throws contract_error if MPI_Finalize has been called.
inline void require_running() {
  if (!is_running()) refuse_after_end();
}

// Throws contract_error if MPI's thread level does not allow this thread to call MPI.
void require_thread_level();
// Throws argument_error if MPI's thread level does not allow several threads to call MPI at a time.
void require_many_threads();

}  // namespace boxcar::detail::mpi
