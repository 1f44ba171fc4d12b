// The request of a user for measurements.
#pragma once

#include <string>
#include <vector>

#include "sweep.hpp"

namespace boxcar::bench {

struct request {
  std::string benchmark;
  sweep values;
  int rounds = 5;
  std::vector<std::string> baselines{"all"};  // or "none", or names
  std::string json;                           // the file to write, or ""
  std::string plot;                           // likewise, for a picture
};

}  // namespace boxcar::bench
