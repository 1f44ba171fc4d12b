#include "convey-c/joined_world.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "world/exit_guard.hpp"
#include "world/implicit_world.hpp"

namespace boxcar::convey_c {
namespace {

// Written by any thread that tries to join, read by the thread that ends the program. Only the last
// value matters.
std::atomic<bool> has_failed_to_join = false;

void end_as_failure(int status, void*) {
  if (status != 0 || !has_failed_to_join.load(std::memory_order_relaxed)) return;
  std::fflush(nullptr);
  std::fprintf(stderr,
               "boxcar: the world of this program could not be joined, so that it ends with "
               "status %d, and not 0; see what it said before\n",
               EXIT_FAILURE);
  _exit(EXIT_FAILURE);
}

}  // namespace

world& joined_world() {
  try {
    world& here = detail::implicit_world();
    has_failed_to_join.store(false, std::memory_order_relaxed);
    return here;
  } catch (...) {
    // A thread that is no PE, in a program whose PEs are threads, has no world to join.
    if (!pes_are_running()) {
      static const int registered = on_exit(end_as_failure, nullptr);
      static_cast<void>(registered);
      has_failed_to_join.store(true, std::memory_order_relaxed);
    }
    throw;
  }
}

}  // namespace boxcar::convey_c
