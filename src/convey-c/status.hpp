// The numbers that functions of the C interface return.
#pragma once

#include <boxcar/conveyor_state.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

inline int status_of(advance_result result) {
  if (result == advance_result::done) return convey_DONE;
  return result == advance_result::near ? convey_NEAR : convey_OK;
}

// The PE has said by `advance` that it pushes nothing more. What it says in further calls counts
// for nothing, as in the published implementation; the paper has `false` as illegal there.
inline bool has_declared_the_end(conveyor_state state) {
  return state == conveyor_state::endgame || state == conveyor_state::cleanup;
}

// What a status means, in a few words.
const char* status_text(int status);

}  // namespace boxcar::convey_c
