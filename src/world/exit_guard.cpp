#include "world/exit_guard.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <unistd.h>

#include "substrate/liveness/program_end.hpp"
#include "world/join.hpp"

namespace boxcar {
namespace {

// Number of worlds with PEs as threads of this process. The thread ending the program reads the
// number; no order with other writes is needed.
std::atomic<int> running = 0;
// The process of the counted worlds. A forked child inherits the count, but none of the threads.
std::atomic<pid_t> process_of_running = 0;

std::string caller() {
  const world* here = detail::current_world();
  return here == nullptr ? std::string("a thread that is no PE")
                         : "PE " + std::to_string(here->rank());
}

detail::end_finding find_unfinished(int status) {
  if (!pes_are_running()) return {};
  const std::string text = text_of_early_end("exit", status);
  if (status == 0) return {true, text};
  std::fflush(nullptr);
  std::fprintf(stderr, "boxcar: %s\n", text.c_str());
  return {};
}

}  // namespace

bool pes_are_running() {
  return running.load(std::memory_order_relaxed) != 0 &&
         process_of_running.load(std::memory_order_relaxed) == getpid();
}

std::string text_of_early_end(const char* function, int status) {
  const std::string call = caller() + " called " + function + '(' + std::to_string(status) + ')';
  if (status != 0) return call + ", which ends all PEs of this program";
  return call +
         " while the PEs of this program run, which may need it; return from the function that "
         "boxcar::run called instead of calling exit";
}

exit_guard::exit_guard() {
  static std::once_flag once;
  std::call_once(once, [] { detail::check_at_end(find_unfinished); });
  static std::mutex guard;
  const std::lock_guard lock(guard);
  const pid_t process = getpid();
  if (process_of_running.load(std::memory_order_relaxed) != process) {
    running.store(0, std::memory_order_relaxed);
    process_of_running.store(process, std::memory_order_relaxed);
  }
  running.fetch_add(1, std::memory_order_relaxed);
}

exit_guard::~exit_guard() {
  running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace boxcar
