// The build that a measurement was made with: it must be known to repeat the measurement.
#pragma once

#include <string>

namespace boxcar::bench {

struct build {
  std::string version;   // of Boxcar
  std::string commit;    // of the checkout that it was built in; empty if in none
  bool changed = false;  // files that are part of that commit were changed
  std::string compiler;
  std::string flags;
};
[[nodiscard]] build this_build();

}  // namespace boxcar::bench
