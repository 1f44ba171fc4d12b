#include "substrate/mpi/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace boxcar::detail::mpi {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

block_pool& block_pool::of_process() {
  static auto& pool = *new block_pool;  // outlives objects that the program destroys at its end
  return pool;
}

std::size_t block_pool::size_for(std::size_t bytes) {
  const std::size_t log =
      static_cast<std::size_t>(std::bit_width(std::max<std::size_t>(bytes, 1) - 1));
  return log < smallest_log ? sizes : std::min(log - smallest_log, sizes);
}

std::byte* block_pool::take(std::size_t bytes) {
  const std::size_t size = size_for(bytes);
  std::size_t allocated = std::max<std::size_t>(bytes, 1);
  if (size < sizes) {
    const std::lock_guard lock(mutex_);
    if (!free_[size].empty()) {
      std::byte* const block = free_[size].back();
      free_[size].pop_back();
      return block;
    }
    allocated = std::size_t{1} << (smallest_log + size);
  }
  return static_cast<std::byte*>(::operator new(allocated, alignment));
}

void block_pool::give_back(std::byte* block, std::size_t bytes) noexcept {
  const std::size_t size = size_for(bytes);
  if (size < sizes) {
    const std::lock_guard lock(mutex_);
    const std::size_t most = kept_bytes >> (smallest_log + size);
    if (free_[size].capacity() == 0) {
      try {
        free_[size].reserve(most);
      } catch (const std::bad_alloc&) {
        // Nothing is kept.
      }
    }
    if (free_[size].size() < free_[size].capacity()) return free_[size].push_back(block);
  }
  ::operator delete(block, alignment);
}

}  // namespace boxcar::detail::mpi
