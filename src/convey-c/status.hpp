// The statuses that functions of the C interface return.
#pragma once

#include <boxcar/conveyor_state.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

inline int status_of(advance_result result) {
  if (result == advance_result::done) return convey_DONE;
  return result == advance_result::near ? convey_NEAR : convey_OK;
}

// Returns whether the PE has declared by `advance` that it pushes nothing more. The argument of
// further calls is ignored, as in the published implementation; the paper calls `false` illegal
// there.
inline bool has_declared_the_end(conveyor_state state) {
  return state == conveyor_state::endgame || state == conveyor_state::cleanup;
}

// Returns the meaning of a status, in a few words.
const char* status_text(int status);

}  // namespace boxcar::convey_c
