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

// Returns the status to end with, after a message if the status is not the requested status.
int status_of_early_end(int status, const char* call) {
  if (status != 0 || !pes_are_running()) return status;
  std::fprintf(stderr, "boxcar: %s\n", text_of_early_end(call).c_str());
  return EXIT_FAILURE;
}

[[noreturn]] void end_at_once(int status) {
  while (true) syscall(SYS_exit_group, status);
}

}  // namespace
}  // namespace boxcar

extern "C" {

[[gnu::weak, gnu::visibility("default")]] void _exit(int status) {
  boxcar::end_at_once(boxcar::status_of_early_end(status, "_exit(0)"));
}

[[gnu::weak, gnu::visibility("default")]] void _Exit(int status) noexcept {
  boxcar::end_at_once(boxcar::status_of_early_end(status, "_Exit(0)"));
}

[[gnu::weak, gnu::visibility("default")]] void quick_exit(int status) noexcept {
  const int changed = boxcar::status_of_early_end(status, "quick_exit(0)");
  auto* const next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "quick_exit"));
  if (next != nullptr) next(changed);
  boxcar::end_at_once(changed);
}

}  // extern "C"
