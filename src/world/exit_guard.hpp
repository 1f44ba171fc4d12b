// The detection of calls of `exit` by PEs that are threads: `exit` ends the program under all PEs.
#pragma once

#include <string>

namespace boxcar {

// Marks the time when PEs run as threads of the process. A call of `exit` meanwhile prints the
// calling PE, and status 0 becomes a failure.
class exit_guard {
 public:
  exit_guard();
  exit_guard(const exit_guard&) = delete;
  exit_guard& operator=(const exit_guard&) = delete;
  ~exit_guard();
};

// Returns true if the process has an exit_guard. The guards of a parent process do not count.
bool pes_are_running();
// Returns the message for a call of `function`, for instance `exit`, with which the PE ends
// the program under its PEs.
std::string text_of_early_end(const char* function, int status);

}  // namespace boxcar
