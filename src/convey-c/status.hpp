// The numbers that functions of the C interface return.
#pragma once

#include <boxcar/conveyor_state.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

inline int status_of(advance_result result) {
  if (result == advance_result::done) return convey_DONE;
  return result == advance_result::near ? convey_NEAR : convey_OK;
}

// What a status means, in a few words.
const char* status_text(int status);

}  // namespace boxcar::convey_c
