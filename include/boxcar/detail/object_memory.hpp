// The memory of a PE's part of a window or an append buffer.
#pragma once

#include <cstddef>
#include <functional>

namespace boxcar::detail {

struct object_memory {
  void* data = nullptr;  // the client's; nullptr if Boxcar is to allocate it
  std::size_t elements = 0;
  bool is_clients = false;
  // If it is the client's, and has a counterpart on each PE: where this PE sees that of another PE
  // of its node. Empty if a PE sees another's memory at the address where that has it, or not at
  // all.
  std::function<std::byte*(int pe)> counterpart = {};
};

}  // namespace boxcar::detail
