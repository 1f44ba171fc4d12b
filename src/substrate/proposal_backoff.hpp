// Backoff for worlds whose PEs agree on a free resource, such as a tag or an address, at the same
// time as the PEs of another world. When both worlds propose the same resource, both withdraw, and
// each world skips a different number of resources before the next proposal.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class proposal_backoff {
 public:
  explicit proposal_backoff(std::uint64_t identity) : rest_(identity) {}

  // Number of resources to skip, equal on all PEs of the world.
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
  void next() {
    constexpr std::uint64_t most = 15;
    skipped_ = rest_ & most;
    rest_ = rest_ >> 4 | rest_ << 60;
  }

 private:
  std::uint64_t rest_;
  std::uint64_t skipped_ = 0;
};

}  // namespace boxcar::detail
