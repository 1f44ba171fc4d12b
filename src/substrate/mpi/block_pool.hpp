// Memory blocks for the pieces of long puts and gets. The page faults of a new block cost as much
// time as a copy of the data, so blocks are kept and used again.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace boxcar::detail::mpi {

class block_pool {
 public:
  // Returns the pool of this process, which lives until the process ends.
  static block_pool& of_process();

  // Returns a block for at least `bytes` bytes. Throws std::bad_alloc if memory lacks.
  [[nodiscard]] std::byte* take(std::size_t bytes);
  // Takes back a block that was taken for `bytes` bytes.
  void give_back(std::byte* block, std::size_t bytes) noexcept;

 private:
  // Blocks of 2^17, 2^18, 2^19 and 2^20 bytes are kept, of each size at most as many as have
  // `kept_bytes` together. (Smaller blocks are kept by the allocator, larger ones are rare.)
  static constexpr std::size_t smallest_log = 17;
  static constexpr std::size_t sizes = 4;
  static constexpr std::size_t kept_bytes = std::size_t{16} << 20;

  // Returns the number of the smallest size with room for `bytes` bytes, or `sizes` for blocks that
  // are not kept.
  [[nodiscard]] static std::size_t size_for(std::size_t bytes);

  std::mutex mutex_;
  std::array<std::vector<std::byte*>, sizes> free_;
};

}  // namespace boxcar::detail::mpi
