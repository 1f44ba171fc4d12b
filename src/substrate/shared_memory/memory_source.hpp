// A memory_source lets the PEs of one machine see common memory: PEs that are threads share a
// pointer, PEs that are processes share a file descriptor. The substrates "threads" and "processes"
// are otherwise equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The handle by which a PE finds memory created by another PE; the meaning depends on the source.
// No other memory ever has an equal handle.
struct memory_handle {
  std::uint64_t where = 0;
  std::uint32_t which = 0;
};

// Created memory, until all other PEs have attached.
class created_memory {
 public:
  virtual ~created_memory() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual memory_handle handle() const = 0;
  // After `seal` no PE can attach any more, and only the mapping keeps the memory alive.
  virtual std::unique_ptr<shared_memory> seal() = 0;
};

class memory_source {
 public:
  virtual ~memory_source() = default;
  // See substrate.
  [[nodiscard]] virtual bool is_one_process() const = 0;
  // Returns zeroed memory, aligned to a page. Throws shortage if too little of a resource is left,
  // otherwise system_error.
  virtual std::unique_ptr<created_memory> create(std::size_t bytes) = 0;
  // Attaches to memory between `create` and `seal`. Throws memory_gone if there is no such memory,
  // or the memory has fewer than `bytes` bytes; shortage, system_error.
  virtual std::unique_ptr<shared_memory> attach(memory_handle handle, std::size_t bytes) = 0;
};

}  // namespace boxcar::detail
