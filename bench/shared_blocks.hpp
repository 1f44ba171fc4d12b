// A block of memory of each PE, mapped by all PEs of a machine.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// Returns whether all PEs are threads of one process, or processes of one machine that Boxcar
// started.
[[nodiscard]] bool can_share_blocks(const world& w);

class shared_blocks {
 public:
  // Collective. Precondition: can_share_blocks. This PE's block has `bytes` bytes, which are 0.
  // Throws system_error on each PE with a failed system call; on all other PEs there are no blocks.
  shared_blocks(world& w, std::size_t bytes);

  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  // The block of any PE, aligned to a page. Processes may see it at different addresses.
  [[nodiscard]] std::byte* of(int pe) const { return blocks_[static_cast<std::size_t>(pe)].get(); }

 private:
  // A block is freed with its last mapping.
  using block = std::shared_ptr<std::byte>;
  std::vector<block> blocks_;
};

}  // namespace boxcar::bench
