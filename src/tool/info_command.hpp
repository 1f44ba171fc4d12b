// `boxcar info`: what this Boxcar is, what it sees, and what it makes of that.
#pragma once

#include <iosfwd>

namespace boxcar::tool {

void info_command(std::ostream& out);

// `boxcar info --probe`: what the providers of libfabric do when they are tried. Returns the exit
// status.
int probe_command(std::ostream& out);

}  // namespace boxcar::tool
