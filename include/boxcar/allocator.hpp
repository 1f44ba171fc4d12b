// Where a conveyor takes the memory from that only its own PE uses, if not from the heap.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>

namespace boxcar {

// To be derived from, and given to a conveyor in its options. docs/conveyors.md says what of a
// conveyor's memory it is asked for.
//
// All functions are called collectively: on all PEs in the same order, with the same sizes; what
// was grabbed last is freed first. If the world has failed, memory to which PEs of other nodes may
// still be sending is never freed.
class allocator {
 public:
  virtual ~allocator() = default;

  // So many bytes, of any alignment and content; or nullptr, if there are none. `purpose` is for
  // messages. If one PE gets none, the constructor of the conveyor, or its `begin` if memory is
  // dynamic, throws system_error on all PEs, and everything that was grabbed for it is freed.
  [[nodiscard]] virtual void* grab(std::size_t bytes, const char* purpose) = 0;
  virtual void free(void* memory) noexcept = 0;
};

}  // namespace boxcar
