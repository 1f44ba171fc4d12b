// The end of a program on all PEs by one PE, shmem_global_exit: the world fails with a message that
// has the exit status, and every PE ends with the status on reading the message.
#pragma once

#include <optional>
#include <string_view>

namespace boxcar::openshmem_c {

// Ends the program. Throws world_error if PEs are threads of `boxcar::run`.
[[noreturn]] void exit_all(int status);

// Returns the status if the message of a failed world is that of a global exit.
std::optional<int> status_of_global_exit(std::string_view message);

// Ends this PE with the status. Precondition: the world has failed.
[[noreturn]] void end_with(int status);

}  // namespace boxcar::openshmem_c
