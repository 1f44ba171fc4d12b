// Makes this process a PE of the world of its launcher.
#pragma once

#include <memory>

#include "substrate/environment.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Throws system_error if the launcher's memory is not there.
std::unique_ptr<substrate> join_processes(const launched_process& process);

}  // namespace boxcar::detail
