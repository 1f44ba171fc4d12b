// The object memory describes the memory of a PE's share of a window or an append buffer.
#pragma once

#include <cstddef>
#include <functional>

namespace boxcar::detail {

struct object_memory {
  void* data = nullptr;  // the client's; nullptr if Boxcar is to allocate it
  std::size_t elements = 0;
  bool is_clients = false;
  // The address at which the PE sees the memory of another PE of its node, if the memory is the
  // client's and has a counterpart on each PE: the client vouches for the addresses. Empty if a PE
  // sees another PE's memory at the owner's address, or not at all.
  std::function<std::byte*(int pe)> counterpart = {};
};

}  // namespace boxcar::detail
