// On which machine does this process run, and with which processes can it share memory?
#pragma once

#include <cstdint>

namespace boxcar::detail {

struct machine_identity {
  // Equal for processes that may run on the same cores. (Launchers give each process cores of its
  // own, or many processes the same ones.)
  std::uint64_t cores = 0;
  // Equal for processes that can open one another's files under /proc.
  std::uint64_t memory = 0;
};

machine_identity identify_machine();

}  // namespace boxcar::detail
