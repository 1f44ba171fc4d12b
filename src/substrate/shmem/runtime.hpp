// The state of OpenSHMEM: initialised by the program, or by Boxcar on the program's behalf.
#pragma once

namespace boxcar::detail::shmem {

// Initialises OpenSHMEM if the program has not. A program with another exit status than 0 ends the
// whole job, and a program with exit status 0 departs from all its worlds: PEs waiting for the
// program must not wait for ever.
// `many_threads`: several threads of the process will call OpenSHMEM at a time.
void start(bool many_threads);

// Throws contract_error if shmem_finalize has been called, where the call can be detected.
void require_running();
[[nodiscard]] bool is_running() noexcept;

// Throws argument_error if OpenSHMEM does not allow calls of several threads at a time.
void require_many_threads();

}  // namespace boxcar::detail::shmem
