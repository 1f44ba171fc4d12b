// The errors of a waiting PE whose peer has left the world, or has ended without notice.
#pragma once

#include <chrono>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The reason why a PE has left may arrive max_failure_delay after the departure. A waiting PE first
// checks for a failure.
inline constexpr auto max_failure_delay = std::chrono::milliseconds(100);

// Waits for the reason why another PE has left, after an operation of this PE has failed. A leaving
// PE announces the reason first, but the reason may arrive a little later. Throws world_error if
// the reason arrives.
inline void await_failure_notice(substrate& world) {
  const auto until = world.now() + max_failure_delay;
  for (;;) {
    world.check_failure();
    if (world.now() >= until) return;
    world.sleep(std::chrono::milliseconds(1));
  }
}

// Returns the error text for the departure of the PE `absent` while the PE `who` waits. `doing` is
// the activity of `who`, such as "in barrier".
inline std::string absence_text(const std::string& absent, const std::string& who,
                                const std::string& doing) {
  return absent + " has left the world while " + who + " is " + doing +
         "; every PE must take part until all are done";
}

// Launchers end a job within a second after one of its processes was killed.
inline constexpr auto patience_with_launcher = std::chrono::seconds(2);

inline std::string unheard_end_text(int own_rank, const std::string& lost) {
  return "PE " + std::to_string(own_rank) + " has lost " + lost +
         ": its process has ended, and the launcher has not ended the job (with srun, "
         "--kill-on-bad-exit does)";
}

}  // namespace boxcar::detail
