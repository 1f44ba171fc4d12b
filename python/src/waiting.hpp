// How Python waits for what other PEs do: in turns, so that Ctrl-C ends the wait and a time limit
// can; or by looking now and then, as a program in asyncio does.
#pragma once

#include <functional>
#include <optional>

#include "substrate/substrate.hpp"

namespace boxcar::python {

// Whether `is_there()`, which returns at once. Serves others once. Throws world_error if the world
// has failed.
bool is_there_by_now(boxcar::detail::substrate& w, const std::function<bool()>& is_there);

// Returns true when `is_there()`; false after so many seconds, if any are given. Serves others, and
// lets other threads of the program run meanwhile. Throws the exception that a handler of a signal
// raises, as that of Ctrl-C; world_error if the world has failed, or a PE has left it. `name`, a
// literal, is what messages call it. To be called with the lock of the interpreter.
bool wait_in_turns(boxcar::detail::substrate& w, const char* name, std::optional<double> seconds,
                   const std::function<bool()>& is_there);

}  // namespace boxcar::python
