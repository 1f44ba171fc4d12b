// The detection of calls of `exit` by PEs that are threads: `exit` ends the program under all other
// PEs.
#pragma once

#include <string>

namespace boxcar {

// Marks the time in which PEs run as threads of this process. A call of `exit` with status 0 in
// this time becomes a failure, with a message. A call with another status prints the calling PE.
class exit_guard {
 public:
  exit_guard();
  exit_guard(const exit_guard&) = delete;
  exit_guard& operator=(const exit_guard&) = delete;
  ~exit_guard();
};

// Returns true if this process has an exit_guard. The guards of a parent process do not count.
bool pes_are_running();
// Returns the message for a call of `function`, for instance `exit`, by which the calling PE ends
// the program under its PEs.
std::string text_of_early_end(const char* function, int status);

}  // namespace boxcar
