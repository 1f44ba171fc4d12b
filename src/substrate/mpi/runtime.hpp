// Whether MPI is there: initialised by the program, or by this library on its behalf.
#pragma once

namespace boxcar::detail::mpi {

// Initialises MPI if nobody has. Then it is finalised when the program ends with exit status 0, and
// the job is aborted when it ends with another: whoever waits for this process must not wait for
// ever. For the same reason this process departs from all worlds that it is still in when MPI is
// finalised, by whomever, or the program exits. `many_threads`: several threads of this process are
// to call MPI at a time. Throws system_error.
void start(bool many_threads);

// What is to be done at the beginning of MPI_Finalize, while MPI can still be used. One only.
void before_end(void (*action)());

// MPI_Finalize has not been called. Throws contract_error if it has.
void require_running();
[[nodiscard]] bool is_running() noexcept;

// Throws contract_error if MPI's thread level does not allow this thread to call it.
void require_thread_level();
// Throws argument_error if that does not allow several threads to call it at a time.
void require_many_threads();

}  // namespace boxcar::detail::mpi
