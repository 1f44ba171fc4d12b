// Waits of Python for other PEs: in turns, so that Ctrl-C or a time limit can end the wait; or by
// repeated polling, as a program in asyncio does.
#pragma once

#include <functional>
#include <optional>

#include "substrate/substrate.hpp"

namespace boxcar::python {

// Returns `is_there()`, without blocking. Makes progress once. Throws world_error if the world has
// failed.
bool is_there_by_now(boxcar::detail::substrate& w, const std::function<bool()>& is_there);

// Returns true when `is_there()`; false after `seconds`, if given. Makes progress, and lets other
// threads of the program run meanwhile. Throws the exception of a signal handler, such as Ctrl-C's;
// world_error if the world has failed, or a PE has left it. `name`, a literal, is the name in
// messages. Precondition: the caller holds the lock of the interpreter.
bool wait_in_turns(boxcar::detail::substrate& w, const char* name, std::optional<double> seconds,
                   const std::function<bool()>& is_there);

}  // namespace boxcar::python
