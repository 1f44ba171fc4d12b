// How the PEs of one machine come to see the same memory: PEs that are threads share a pointer,
// PEs that are processes share a file descriptor. All else about these two substrates is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// By this one PE finds the memory that another has created; meaning depends on the source. No other
// memory ever has the same.
struct memory_handle {
  std::uint64_t where = 0;
  std::uint32_t which = 0;
};

// Memory whose creator has not yet let all others attach.
class created_memory {
 public:
  virtual ~created_memory() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual memory_handle handle() const = 0;
  // After this nobody can attach any more, and nothing but the mapping keeps the memory alive.
  virtual std::unique_ptr<shared_memory> seal() = 0;
};

class memory_source {
 public:
  virtual ~memory_source() = default;
  // See substrate.
  [[nodiscard]] virtual bool is_one_process() const = 0;
  // Zeroed memory, aligned to a page. Throws shortage if there is too little of something, else
  // system_error.
  virtual std::unique_ptr<created_memory> create(std::size_t bytes) = 0;
  // Possible from `create` to `seal`. Throws memory_gone if there is no such memory, or none of so
  // many bytes; shortage, system_error.
  virtual std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t bytes) = 0;
};

}  // namespace boxcar::detail
