// Work that may crash or never end runs in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace boxcar::detail::ofi {

// Returns the result of the work; "crashes (...)" with the signal; or "hangs" if the work has not
// ended after `limit`. Precondition: the process has no other thread. Standard output and error of
// the work are discarded. Throws system_error if no process can be made.
std::string isolated(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace boxcar::detail::ofi
