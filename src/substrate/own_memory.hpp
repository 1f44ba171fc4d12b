// Memory used by only one PE, from the allocator of the client, or else from the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <boxcar/allocator.hpp>

namespace boxcar::detail {

class substrate;

class own_memory {
 public:
  own_memory() = default;
  // Allocates memory aligned to a cache line, with any contents: pages never written to take no
  // memory. If `from` is not null, the constructor is collective over the world: all PEs grab the
  // largest size needed by any PE, and if a PE gets no memory, all PEs throw system_error and keep
  // nothing. If `from` is null, a PE without memory throws system_error, and the world has failed.
  own_memory(substrate& world, allocator* from, std::size_t bytes, const char* purpose);
  // Allocates memory from the heap as the constructor above does, where no world exists yet. Throws
  // std::bad_alloc.
  explicit own_memory(std::size_t bytes);
  own_memory(own_memory&& other) noexcept
      : from_(other.from_),
        block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(other.bytes_) {}
  own_memory& operator=(own_memory&&) = delete;
  ~own_memory();

  // Never frees the memory: the memory may still be read or written.
  void abandon() { block_ = nullptr; }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  allocator* from_ = nullptr;
  void* block_ = nullptr;
  std::byte* data_ = nullptr;  // within the block
  std::size_t bytes_ = 0;
};

}  // namespace boxcar::detail
