// Whether OpenSHMEM is there: initialised by the program, or by this library on its behalf.
#pragma once

namespace boxcar::detail::shmem {

// Initialises OpenSHMEM if nobody has. A program that ends with another exit status than 0 ends the
// whole job, and one that ends with 0 departs from all worlds that it is still in: whoever waits
// for it must not wait for ever.
// `many_threads`: several threads of this process are to call OpenSHMEM at a time.
void start(bool many_threads);

// Throws contract_error if shmem_finalize has been called, where that can be seen.
void require_running();
[[nodiscard]] bool is_running() noexcept;

// Throws argument_error if OpenSHMEM does not allow several threads to call it at a time.
void require_many_threads();

}  // namespace boxcar::detail::shmem
