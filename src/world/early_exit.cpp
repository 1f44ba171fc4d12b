// `_exit`, `_Exit` and `quick_exit` end a program without anybody being asked, and so a success
// that never was: the PEs that are threads of the program end in the middle of what they do. These
// functions take the place of those of the C library, and differ from them only then. The linker
// takes them for a program that calls one of them; what the program defines itself comes first.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/exit_guard.hpp"

namespace boxcar {
namespace {

// The status to end with, after a message if that is not the one that was asked for.
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
