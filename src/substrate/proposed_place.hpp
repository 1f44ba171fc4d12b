// Where the PEs of a world look next for something that is free on all of them, when another world
// has been about to take what they proposed: worlds that come into one another's way skip different
// numbers of places.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class proposed_place {
 public:
  explicit proposed_place(std::uint64_t identity) : rest_(identity) {}

  // From the first that is free, the same on all PEs.
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
