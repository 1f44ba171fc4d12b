// The identity of the machine of a process, and of the processes able to share memory with the
// process.
#pragma once

#include <cstdint>

namespace boxcar::detail {

struct machine_identity {
  // Equal for all processes on a machine, in any container.
  std::uint64_t machine = 0;
  // Equal for processes with access to each other's files under /proc.
  std::uint64_t memory = 0;
  // Equal for processes on a machine with a common loopback device.
  std::uint64_t loopback = 0;
};

machine_identity identify_machine();

}  // namespace boxcar::detail
