// How a PE that waits reports one that has left.
#pragma once

#include <chrono>
#include <string>

namespace boxcar::detail {

// So much later may come why a PE has left: first it must be asked whether there was a failure.
inline constexpr auto longest_rumour = std::chrono::milliseconds(100);

// `doing`: what PE `rank` does without it, as "waits in barrier".
inline std::string absence_text(int pe, int rank, const std::string& doing) {
  return "PE " + std::to_string(pe) + " has left the world while PE " + std::to_string(rank) + ' ' +
         doing + "; every PE must take part until all are done";
}

}  // namespace boxcar::detail
