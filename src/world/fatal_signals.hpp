// Reports of fatal signals. If a PE that is a thread dies of a signal, the program ends with all
// PEs, and nothing else would name the PE.
#pragma once

#include <cstddef>
#include <memory>

namespace boxcar::detail {

// While a reporter exists, a fatal signal caused by a PE (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT)
// prints the PE and the signal on standard error first. The signal then has its usual effect.
// Signals for which the program, or a sanitizer, has a handler are left alone.
class fatal_signal_reporter {
 public:
  fatal_signal_reporter();
  fatal_signal_reporter(const fatal_signal_reporter&) = delete;
  fatal_signal_reporter& operator=(const fatal_signal_reporter&) = delete;
  ~fatal_signal_reporter();
};

// While an object exists, this thread counts as PE `rank` in reports. The thread gets a stack for
// signal handlers, as its own stack may have overflowed.
class reported_pe {
 public:
  explicit reported_pe(int rank);
  reported_pe(const reported_pe&) = delete;
  reported_pe& operator=(const reported_pe&) = delete;
  ~reported_pe();

 private:
  int former_rank_;
  std::unique_ptr<std::byte[]> stack_;  // null: the thread had a signal stack
};

}  // namespace boxcar::detail
