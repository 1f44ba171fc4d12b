// Splits memory into blocks of any sizes, a block for each PE, and into segments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "collective/tree.hpp"

namespace boxcar::detail {

template <typename Byte>
class blocks_in {
 public:
  // The blocks lie contiguously in the order of the PEs.
  blocks_in(const std::vector<std::size_t>& sizes, std::span<Byte> memory) : memory_(memory) {
    for (const std::size_t s : sizes) add(s);
  }
  // Only the PEs of the range [first, last) of a tree have blocks, in the order of the tree.
  blocks_in(const std::vector<std::size_t>& sizes, std::span<Byte> memory, const tree& t,
            std::size_t first, std::size_t last)
      : memory_(memory), starts_(sizes.size()), ends_(sizes.size()) {
    std::size_t at = 0;
    for (const tree::run& r : t.runs(first, last)) {
      for (auto pe = static_cast<std::size_t>(r.first); pe < static_cast<std::size_t>(r.last);
           ++pe) {
        starts_[pe] = at;
        at += sizes[pe];
        ends_[pe] = at;
      }
    }
  }

  [[nodiscard]] std::span<Byte> of(int pe) const { return of(tree::run{pe, pe + 1}); }
  // Returns the blocks of adjacent PEs as a contiguous span.
  [[nodiscard]] std::span<Byte> of(const tree::run& pes) const {
    if (pes.first == pes.last) return {};
    const std::size_t at = starts_[static_cast<std::size_t>(pes.first)];
    return memory_.subspan(at, ends_[static_cast<std::size_t>(pes.last) - 1] - at);
  }
  [[nodiscard]] std::span<Byte> all() const { return memory_; }

 private:
  void add(std::size_t size) {
    const std::size_t at = ends_.empty() ? 0 : ends_.back();
    starts_.push_back(at);
    ends_.push_back(at + size);
  }

  std::span<Byte> memory_;
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> ends_;
};

using blocks = blocks_in<std::byte>;
using const_blocks = blocks_in<const std::byte>;

// Splits memory into segments of at most `most` bytes; 0 means a single segment. Empty memory has
// no segments.
template <typename Byte>
std::vector<std::span<Byte>> segments_of(std::span<Byte> all, std::size_t most) {
  std::vector<std::span<Byte>> pieces;
  if (most == 0) most = all.size();
  for (; !all.empty(); all = all.subspan(pieces.back().size())) {
    pieces.push_back(all.first(std::min(most, all.size())));
  }
  return pieces;
}

// Returns the sizes in bytes if elements are distributed over the PEs as evenly as possible.
inline std::vector<std::size_t> equal_shares(std::size_t elements, std::size_t element_bytes,
                                             int pes) {
  std::vector<std::size_t> sizes;
  const auto n = static_cast<std::size_t>(pes);
  for (std::size_t i = 0; i < n; ++i) {
    sizes.push_back(((i + 1) * elements / n - i * elements / n) * element_bytes);
  }
  return sizes;
}

}  // namespace boxcar::detail
