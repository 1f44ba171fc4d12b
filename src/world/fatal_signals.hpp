// PEs that are threads, and die of a signal: the program ends with all of them, and nothing else
// would say which PE it was.
#pragma once

#include <cstddef>
#include <memory>

namespace boxcar::detail {

// While one exists, a signal that ends the program because of what a PE did (SIGSEGV, SIGBUS,
// SIGFPE, SIGILL, SIGABRT) prints the PE and the signal on standard error first. The signal then
// has the effect that it would have had. A signal for which the program, or a sanitizer, has a
// handler is left alone.
class fatal_signal_reporter {
 public:
  fatal_signal_reporter();
  fatal_signal_reporter(const fatal_signal_reporter&) = delete;
  fatal_signal_reporter& operator=(const fatal_signal_reporter&) = delete;
  ~fatal_signal_reporter();
};

// While one exists, this thread is that PE in such reports. It has a stack for the handler of
// signals, as its own stack may have overflowed.
class reported_pe {
 public:
  explicit reported_pe(int rank);
  reported_pe(const reported_pe&) = delete;
  reported_pe& operator=(const reported_pe&) = delete;
  ~reported_pe();

 private:
  int former_rank_;
  std::unique_ptr<std::byte[]> stack_;  // null: the thread had one
};

}  // namespace boxcar::detail
