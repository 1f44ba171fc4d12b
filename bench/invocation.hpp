// How a run was started: whoever wants to repeat it must know that, too.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boxcar::bench {

struct invocation {
  std::vector<std::string> command;  // word by word
  // The same of the launcher that started the PEs, if one did and is known.
  std::optional<std::vector<std::string>> launcher = std::nullopt;
  // The environment variables that Boxcar reads, with their values, where they are set.
  std::vector<std::pair<std::string, std::string>> environment = {};
};

}  // namespace boxcar::bench
