// A cache for the memory of links that are gone, for later links: a program with a new conveyor for
// every exchange must not pay for fresh pages each time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The cache of one PE. A block has the same number on all PEs, and may be used again when all PEs
// keep the block.
class kept_memory : public std::enable_shared_from_this<kept_memory> {
 public:
  static constexpr std::size_t max_blocks = 4;
  using numbers = std::array<std::uint64_t, max_blocks>;  // 0: none

  // At most `most_bytes` bytes are kept. Beyond the limit, the blocks kept for longest go first.
  explicit kept_memory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Returns the memory as a loan. The end of the loan keeps the memory, if the cache still exists.
  std::unique_ptr<shared_memory> lend(std::unique_ptr<shared_memory> memory, std::uint64_t number);

  // Returns the numbers of the kept blocks of `bytes` bytes.
  [[nodiscard]] numbers of_size(std::size_t bytes) const;
  // Removes a block from the cache and returns its memory.
  std::unique_ptr<shared_memory> take(std::uint64_t number);

 private:
  struct block {
    std::unique_ptr<shared_memory> memory;
    std::uint64_t number;
  };
  class loan;

  void keep(block b);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<block> blocks_;  // the most recent block last
};

}  // namespace boxcar::detail
