// The end of the program, for objects that are destroyed or checks that run at that time. The
// functions concern the calling process. Forked children are not affected.
#pragma once

#include <string>

namespace boxcar::detail {

// Enables `program_has_failed`. Each thread that is a PE calls this function.
void watch_program_end();
// Returns true if the main thread is in `exit`, or has returned from main, with another status than
// 0. Worlds with static storage then wait for no other PE.
[[nodiscard]] bool program_has_failed() noexcept;

// The result of a check at the end of the program.
struct end_finding {
  bool is_failure = false;
  std::string why;  // empty: it has been printed before
};
// When the program ends by `exit`, or by the return of main, `check` is called with the status. A
// program that ends with status 0 and has failed all the same prints why, and ends with status 1.
void check_at_end(end_finding (*check)(int status)) noexcept;

}  // namespace boxcar::detail
