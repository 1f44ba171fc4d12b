// Replacements of the C library's functions `_exit`, `_Exit` and `quick_exit`. The library's
// functions end a program without any check, and could report success although PEs that are threads
// of the program end in the middle of their work. The replacements differ from the library's
// functions only in this case. The linker takes the replacements for a program that calls any of
// the functions; the program's own definitions come first.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/exit_guard.hpp"

namespace boxcar {
namespace {

// Returns the status to end with, after a message that names the calling PE.
int status_of_early_end(const char* function, int status) {
  if (!pes_are_running()) return status;
  // (Not through a stream: `_exit` may be called while the thread has the stream's lock.)
  dprintf(STDERR_FILENO, "boxcar: %s\n", text_of_early_end(function, status).c_str());
  return status == 0 ? EXIT_FAILURE : status;
}

[[noreturn]] void end_at_once(int status) {
  while (true) syscall(SYS_exit_group, status);
}

}  // namespace
}  // namespace boxcar

extern "C" {

[[gnu::weak, gnu::visibility("default")]] void _exit(int status) {
  boxcar::end_at_once(boxcar::status_of_early_end("_exit", status));
}

[[gnu::weak, gnu::visibility("default")]] void _Exit(int status) noexcept {
  boxcar::end_at_once(boxcar::status_of_early_end("_Exit", status));
}

[[gnu::weak, gnu::visibility("default")]] void quick_exit(int status) noexcept {
  const int changed = boxcar::status_of_early_end("quick_exit", status);
  auto* const next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "quick_exit"));
  if (next != nullptr) next(changed);
  boxcar::end_at_once(changed);
}

}  // extern "C"
