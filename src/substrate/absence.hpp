// How a PE that waits reports one that has left.
#pragma once

#include <chrono>
#include <string>

namespace boxcar::detail {

// So much later may come why a PE has left: first it must be asked whether there was a failure.
inline constexpr auto longest_rumour = std::chrono::milliseconds(100);

// What they are called, and what the one is in without the other, as "in barrier".
inline std::string absence_text(const std::string& absent, const std::string& who,
                                const std::string& doing) {
  return absent + " has left the world while " + who + " is " + doing +
         "; every PE must take part until all are done";
}

}  // namespace boxcar::detail
