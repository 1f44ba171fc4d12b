#include "world/exit_guard.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "world/join.hpp"

namespace boxcar {
namespace {

constexpr int status_of_failure = 1;

// Worlds whose PEs run as threads now. It is read by the thread that ends the program; who else
// changes it is of no interest to that.
std::atomic<int> running = 0;

void end_as_failure(int status, void*) {
  if (!pes_are_running()) return;
  const world* here = detail::current_world();
  const std::string who = here == nullptr ? std::string("a thread that is no PE")
                                          : "PE " + std::to_string(here->rank());
  std::fflush(nullptr);
  if (status != 0) {
    std::fprintf(stderr, "boxcar: %s called exit(%d), which ends all PEs of this program\n",
                 who.c_str(), status);
    return;
  }
  std::fprintf(stderr,
               "boxcar: %s called exit(0) while the PEs of this program run, which may need it; "
               "return from the function that boxcar::run called instead of calling exit\n",
               who.c_str());
  _exit(status_of_failure);
}

}  // namespace

bool pes_are_running() {
  return running.load(std::memory_order_relaxed) != 0;
}

exit_guard::exit_guard() {
  static const int registered = on_exit(end_as_failure, nullptr);
  static_cast<void>(registered);
  running.fetch_add(1, std::memory_order_relaxed);
}

exit_guard::~exit_guard() {
  running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace boxcar
