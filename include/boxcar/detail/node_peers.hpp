// Which PEs of a world share this PE's node, as far as that can be told by a comparison: those
// whose ranks follow one another from the lowest on. Where there are others, the layout knows them.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class substrate;

class node_peers {
 public:
  node_peers() = default;  // nobody
  explicit node_peers(const substrate& world);

  // Its place among the PEs of the node, or at least `count()`.
  [[nodiscard]] std::uint32_t place(int pe) const {
    return static_cast<std::uint32_t>(pe) - static_cast<std::uint32_t>(first_);
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  int first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace boxcar::detail
