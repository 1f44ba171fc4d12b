// The node peers are the PEs of a world on the PE's node, as far as a comparison can find them: PEs
// whose ranks follow one another from the node's lowest rank on. If a node has further PEs, the
// layout has the complete list.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class substrate;

class node_peers {
 public:
  node_peers() = default;  // no PE
  explicit node_peers(const substrate& world);

  // Returns the local rank of the PE on the node, or at least `count()` for other PEs.
  [[nodiscard]] std::uint32_t place(int pe) const {
    return static_cast<std::uint32_t>(pe) - static_cast<std::uint32_t>(first_);
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  int first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace boxcar::detail
