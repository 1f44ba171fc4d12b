// Describes the start of a run, as a repetition needs the description.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boxcar::bench {

struct invocation {
  std::vector<std::string> command;  // word by word
  // The command line of the PEs' launcher, if known.
  std::optional<std::vector<std::string>> launcher = std::nullopt;
  // The environment variables of Boxcar, with their values, where they are set.
  std::vector<std::pair<std::string, std::string>> environment = {};
};

}  // namespace boxcar::bench
