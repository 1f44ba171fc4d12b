// The identity of the machine on which this process runs, and of the processes that it can share
// memory with.
#pragma once

#include <cstdint>
#include <string>

namespace boxcar::detail {

struct machine_identity {
  // Equal for processes on one machine, in whatever container.
  std::uint64_t machine = 0;
  // Equal for processes that can open one another's files under /proc.
  std::uint64_t memory = 0;
  // Equal for processes on one machine that reach one another by its loopback device.
  std::uint64_t loopback = 0;
};

machine_identity identify_machine();

// The name of this host, of at most 255 characters.
std::string host_name();

}  // namespace boxcar::detail
