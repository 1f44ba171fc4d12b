// `boxcar info`: what this Boxcar is, what it sees, and what it makes of that.
#pragma once

#include <iosfwd>

namespace boxcar::tool {

void info_command(std::ostream& out);

}  // namespace boxcar::tool
