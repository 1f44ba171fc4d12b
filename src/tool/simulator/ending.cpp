#include "simulator/ending.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>
#include <string>
#include <unistd.h>

#include "world/hosted_pe.hpp"

namespace boxcar::simulator {
namespace {

std::atomic<bool> is_module_time = false;

}  // namespace

module_time::module_time() {
  is_module_time = true;
}
module_time::~module_time() {
  is_module_time = false;
}

}  // namespace boxcar::simulator

// The replacements of C functions: modules and their libraries find the replacements before the
// functions of the C library.

extern "C" [[gnu::visibility("default")]] void exit(int status) noexcept {
  std::fflush(nullptr);
  if (boxcar::simulator::is_module_time) {
    const auto* const here = boxcar::detail::hosted_pe::current();
    const std::string who =
        here == nullptr ? "a thread that is no PE" : "PE " + std::to_string(here->rank());
    std::fprintf(stderr,
                 "boxcar simulate: %s called exit(%d), which ends the simulation; return from main "
                 "instead of calling exit\n",
                 who.c_str(), status);
    if (status == 0) status = EXIT_FAILURE;
  }
  std::cout.flush();
  _exit(status);
}

extern "C" [[gnu::visibility("default")]] int __cxa_atexit(void (*function)(void*), void* argument,
                                                           void* library) {
  if (boxcar::simulator::is_module_time) return 0;
  using registering = int(void (*)(void*), void*, void*);
  static auto* const next = reinterpret_cast<registering*>(dlsym(RTLD_NEXT, "__cxa_atexit"));
  return next(function, argument, library);
}
