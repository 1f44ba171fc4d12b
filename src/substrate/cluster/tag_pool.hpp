// Numbers that tell the messages of one link set or mailbox from those of others. Sets live and die
// differently on different PEs, as sub-worlds overlap: so the PEs of a world agree on one that none
// of them uses.
#pragma once

#include <cstdint>
#include <set>

#include "substrate/largest.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class tag_pool {
 public:
  explicit tag_pool(int largest) : largest_(largest) {}

  // Collective over `world`.
  int take(substrate& world) {
    for (;;) {
      const std::uint64_t next = largest<1>(world, {next_})[0];
      const std::uint64_t tag = next % (static_cast<std::uint64_t>(largest_) + 1);
      next_ = next + 1;
      // A tag comes round again only after very many sets.
      if (next == tag) return insert(tag);
      if (largest<1>(world, {used_.contains(static_cast<int>(tag))})[0] == 0) {
        return insert(tag);
      }
    }
  }
  // Unless `is_over`, the library below may yet take messages with it.
  void give_back(int tag, bool is_over) {
    if (is_over) {
      used_.erase(tag);
    } else {
      has_lost_one_ = true;
    }
  }
  [[nodiscard]] bool has_lost_one() const { return has_lost_one_; }

 private:
  int insert(std::uint64_t tag) {
    used_.insert(static_cast<int>(tag));
    return static_cast<int>(tag);
  }

  std::uint64_t next_ = 0;
  int largest_;
  std::set<int> used_;
  bool has_lost_one_ = false;
};

}  // namespace boxcar::detail
