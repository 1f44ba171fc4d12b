// Memory of links that are gone, kept for the links that are made next: who makes a conveyor for
// every exchange shall not pay for fresh pages each time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// One PE's part. The PEs know a block by its number, which is the same on all of them; it may be
// used again when it is kept by all.
class kept_memory : public std::enable_shared_from_this<kept_memory> {
 public:
  static constexpr std::size_t most_blocks = 4;
  using numbers = std::array<std::uint64_t, most_blocks>;  // 0: none

  // At most so many bytes are kept; of what is more, those that have been kept for longest go.
  explicit kept_memory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // The same memory; it is kept when it is destroyed, if this still lives.
  std::unique_ptr<shared_memory> lend(std::unique_ptr<shared_memory> memory, std::uint64_t number);

  // The blocks of this size.
  [[nodiscard]] numbers of_size(std::size_t bytes) const;
  // One of them, no longer kept.
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
  std::vector<block> blocks_;  // the one that was kept last behind
};

}  // namespace boxcar::detail
