// One block of memory of each PE, which all PEs of a machine see.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// Whether all PEs are threads of one process, or processes of one machine that Boxcar started.
[[nodiscard]] bool can_share_blocks(const world& w);

class shared_blocks {
 public:
  // Collective, if they can be shared. This PE's block has so many bytes, which are 0. Throws
  // system_error on each PE that the machine refuses something; on all others there are no blocks.
  shared_blocks(world& w, std::size_t bytes);

  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  // That of any PE, aligned to a page. Processes may see it at different addresses.
  [[nodiscard]] std::byte* of(int pe) const { return blocks_[static_cast<std::size_t>(pe)].get(); }

 private:
  // Memory goes when nobody sees it any more.
  using block = std::shared_ptr<std::byte>;
  std::vector<block> blocks_;
};

}  // namespace boxcar::bench
