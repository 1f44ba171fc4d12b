// How a PE that waits reports one that has left, or that has ended unheard.
#pragma once

#include <chrono>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// So much later may come why a PE has left: first it must be asked whether there was a failure.
inline constexpr auto longest_rumour = std::chrono::milliseconds(100);

// Something has failed here, by which another PE has left perhaps. Why it did is said first, and
// may be heard a little later: then this throws world_error.
inline void await_rumour(substrate& world) {
  const auto until = world.now() + longest_rumour;
  for (;;) {
    world.check_failure();
    if (world.now() >= until) return;
    world.sleep(std::chrono::milliseconds(1));
  }
}

// What they are called, and what the one is in without the other, as "in barrier".
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
