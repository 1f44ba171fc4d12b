// Describes the build of a measurement, as a repetition needs the description.
#pragma once

#include <string>

namespace boxcar::bench {

struct build {
  std::string version;   // of Boxcar
  std::string commit;    // of the checkout; empty if there is none
  bool changed = false;  // files of the commit were changed
  std::string compiler;
  std::string flags;
};
[[nodiscard]] build this_build();

}  // namespace boxcar::bench
