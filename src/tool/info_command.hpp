// `boxcar info`: prints the version of this Boxcar, the properties of the machine, and the choices
// that follow.
#pragma once

#include <iosfwd>

namespace boxcar::tool {

void info_command(std::ostream& out);

}  // namespace boxcar::tool
