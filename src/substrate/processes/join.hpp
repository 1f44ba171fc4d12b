// The start of a PE that is a process: the process joins the world of its launcher.
#pragma once

#include <memory>

#include "substrate/environment.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Throws system_error if the memory of the launcher does not exist.
std::unique_ptr<substrate> join_processes(const launched_process& process);

}  // namespace boxcar::detail
