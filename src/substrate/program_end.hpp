// How the program ends, for what is destroyed or checked when it does. All of this concerns the
// process that has asked for it alone: its forked children end as they say.
#pragma once

#include <string>

namespace boxcar::detail {

// To be called by each thread that is a PE: from now on `program_has_failed` can tell.
void watch_program_end();
// The main thread is in `exit`, or has returned from main, with another status than 0. Worlds with
// static storage wait for no other PE then.
[[nodiscard]] bool program_has_failed() noexcept;

// What is found out when the program ends.
struct end_finding {
  bool is_failure = false;
  std::string why;  // empty: it has been printed before
};
// When the program ends by `exit`, or by the return of main, `check` is called with the status. A
// program that ends with status 0 and has failed all the same prints why, and ends with status 1.
void check_at_end(end_finding (*check)(int status)) noexcept;

}  // namespace boxcar::detail
