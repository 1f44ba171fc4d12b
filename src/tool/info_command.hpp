// `boxcar info`: what this Boxcar is and what it sees.
#pragma once

#include <iosfwd>

namespace boxcar::tool {

void info_command(std::ostream& out);

}  // namespace boxcar::tool
