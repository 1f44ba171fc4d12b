// Whether OpenSHMEM is there: initialised by the program, or by this library on its behalf.
#pragma once

namespace boxcar::detail::shmem {

// Initialises OpenSHMEM if nobody has. A program that ends with another exit status than 0 ends the
// whole job, and one that ends with 0 departs from all worlds that it is still in: whoever waits
// for it must not wait for ever.
void start();

// Throws contract_error if shmem_finalize has been called, where that can be seen.
void require_running();
[[nodiscard]] bool is_running() noexcept;

}  // namespace boxcar::detail::shmem
