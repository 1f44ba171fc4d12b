#include "substrate/liveness/program_end.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace boxcar::detail {
namespace {

struct registered_check {
  end_finding (*check)(int status);
  pid_t process;
  const registered_check* before = nullptr;
};

// The last registered check, which leads to all others. Checks live for ever.
std::atomic<const registered_check*> last_registered = nullptr;

void run_check(int status, void* registered) {
  const auto& its = *static_cast<const registered_check*>(registered);
  if (its.process != getpid()) return;
  const end_finding found = its.check(status);
  if (status != 0 || !found.is_failure) return;
  std::fflush(nullptr);
  if (!found.why.empty()) std::fprintf(stderr, "boxcar: %s\n", found.why.c_str());
  _exit(EXIT_FAILURE);
}

// Written and read by the thread that ends the program.
std::atomic<bool> has_failed = false;

void note_status(int status, void*) {
  has_failed.store(status != 0, std::memory_order_relaxed);
}

// `exit` destroys the objects of the thread before all else. A function registered during the
// destruction runs before all functions registered earlier; destructors of objects with static
// storage are registered earlier.
class main_thread_end {
 public:
  main_thread_end() = default;
  main_thread_end(const main_thread_end&) = delete;
  main_thread_end& operator=(const main_thread_end&) = delete;
  ~main_thread_end() {
    if (gettid() == getpid()) on_exit(note_status, nullptr);
  }
  void watch() {}
};

}  // namespace

void watch_program_end() {
  static thread_local main_thread_end end;
  end.watch();
}

bool program_has_failed() noexcept {
  return has_failed.load(std::memory_order_relaxed);
}

void check_at_end(end_finding (*check)(int status)) noexcept {
  auto* const registered = new (std::nothrow) registered_check{check, getpid()};
  if (registered == nullptr) return;
  registered->before = last_registered.exchange(registered);
  on_exit(run_check, registered);
}

}  // namespace boxcar::detail
