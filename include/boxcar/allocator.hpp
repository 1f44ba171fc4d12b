// An allocator replaces the heap for the memory of a conveyor that is private to a PE.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>

namespace boxcar {

// The base class of allocators; an allocator is given to a conveyor in the options.
// docs/conveyors.md describes the part of a conveyor's memory that comes from an allocator.
//
// All functions are called collectively: on all PEs in the same order, with the same sizes; memory
// is freed in the reverse order of the grabs. If the world has failed, memory to which PEs of other
// nodes may still be sending is never freed.
class allocator {
 public:
  virtual ~allocator() = default;

  // Returns `bytes` bytes, of any alignment and content, or nullptr if there is no memory.
  // `purpose` is for messages. If a PE gets nullptr, or an exception, the constructor of the
  // conveyor, or its `begin` if memory is dynamic, throws system_error on all PEs, and everything
  // that was grabbed for the conveyor is freed.
  [[nodiscard]] virtual void* grab(std::size_t bytes, const char* purpose) = 0;
  virtual void free(void* memory) noexcept = 0;
};

}  // namespace boxcar
