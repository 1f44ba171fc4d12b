// Memory that only one PE uses: from the allocator of the client, or else from the heap.
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
  // Aligned to a cache line, with anything in it: pages that nobody writes to take no memory.
  // `from` may be null; if it is not, this is collective over the world: all PEs grab as much as
  // the one that needs most, and if one gets nothing, all throw system_error and keep nothing. If
  // it is null, a PE that gets nothing throws system_error, and the world has failed.
  own_memory(substrate& world, allocator* from, std::size_t bytes, const char* purpose);
  own_memory(own_memory&& other) noexcept
      : from_(other.from_),
        block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(other.bytes_) {}
  own_memory& operator=(own_memory&&) = delete;
  ~own_memory();

  // Never frees it: somebody may still read or write it.
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
