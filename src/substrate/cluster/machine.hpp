// On which machine does this process run, and with which processes can it share memory?
#pragma once

#include <cstdint>

namespace boxcar::detail {

struct machine_identity {
  // Equal for processes on one machine, in whatever container.
  std::uint64_t machine = 0;
  // Equal for processes that can open one another's files under /proc.
  std::uint64_t memory = 0;
};

machine_identity identify_machine();

}  // namespace boxcar::detail
