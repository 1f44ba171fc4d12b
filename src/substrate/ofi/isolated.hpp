// Work that may crash or never end, in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace boxcar::detail::ofi {

// What the work says; or "crashes (...)" with the signal, or "hangs" if it has not ended after this
// time. To be called while the process has no other thread. What the work writes to standard output
// or error goes nowhere. Throws system_error if there can be no process.
std::string isolated(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace boxcar::detail::ofi
