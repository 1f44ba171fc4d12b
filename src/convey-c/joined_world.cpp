#include "convey-c/joined_world.hpp"

#include <atomic>
#include <mutex>

#include "substrate/liveness/program_end.hpp"
#include "world/exit_guard.hpp"
#include "world/implicit_world.hpp"

namespace boxcar::convey_c {
namespace {

// Any joining thread writes the flag; the thread that ends the program reads the flag. Only the
// last value matters.
std::atomic<bool> has_failed_to_join = false;

detail::end_finding find_failure(int) {
  return {
      has_failed_to_join.load(std::memory_order_relaxed),
      "the world of this program could not be joined, so that it ends with status 1, and not 0; "
      "see what it said before"};
}

}  // namespace

world& joined_world() {
  try {
    world& here = detail::implicit_world();
    has_failed_to_join.store(false, std::memory_order_relaxed);
    return here;
  } catch (...) {
    // In a program whose PEs are threads, a thread outside of the PEs has no world to join.
    if (!pes_are_running()) {
      static std::once_flag once;
      std::call_once(once, [] { detail::check_at_end(find_failure); });
      has_failed_to_join.store(true, std::memory_order_relaxed);
    }
    throw;
  }
}

}  // namespace boxcar::convey_c
