// A PE that is a thread and calls `exit` ends the program while others may be waiting for it.
#pragma once

#include <string>

namespace boxcar {

// While one exists, PEs run as threads of this process: if it ends by `exit` with status 0, that
// becomes a failure, with a message. Any other status is one already, and the message says which PE
// it was.
class exit_guard {
 public:
  exit_guard();
  exit_guard(const exit_guard&) = delete;
  exit_guard& operator=(const exit_guard&) = delete;
  ~exit_guard();
};

// Whether one exists in this process, and not only in the process that has forked this one.
bool pes_are_running();
// What is wrong with a call, say of `exit(0)`, that ends the program while one exists.
std::string text_of_early_end(const char* call);

}  // namespace boxcar
