#pragma once

namespace boxcar::convey_c {

// What a status means, in a few words.
const char* status_text(int status);

}  // namespace boxcar::convey_c
