// The cores that this process may run on: those that its launcher, or the system, has bound it to.
#pragma once

#include <sched.h>

namespace boxcar::detail {

// Core 0 if the system does not tell.
cpu_set_t usable_cores();

}  // namespace boxcar::detail
