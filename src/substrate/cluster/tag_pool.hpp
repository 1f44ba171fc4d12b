// A tag_pool has the tags that separate the messages of a link set or mailbox from other messages.
// Link sets live and die differently on different PEs, as sub-worlds overlap: so the PEs of a world
// agree on a tag that no PE of the world uses. Background fibers (background_fiber.hpp) let several
// worlds agree on tags at the same time. A PE reserves a proposed tag for the first world that
// proposes the tag, and a world gives up a tag that a PE could not reserve.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "substrate/largest.hpp"
#include "substrate/proposal_backoff.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class tag_pool {
 public:
  explicit tag_pool(int largest) : largest_(largest) {}

  // Collective over `world`.
  int take(substrate& world) {
    for (proposal_backoff at(world.identity());; at.next()) {
      const std::uint64_t next = largest<1>(world, {next_ + at.skipped()})[0];
      const auto tag = static_cast<int>(next % (static_cast<std::uint64_t>(largest_) + 1));
      next_ = std::max(next_, next + 1);
      const bool is_kept = used_.insert(tag).second;
      if (largest<1>(world, {is_kept ? 0u : 1u})[0] == 0) return tag;
      if (is_kept) used_.erase(tag);
    }
  }
  // Gives the tag back. Unless `is_over`, the library below may still take messages with the tag,
  // and the tag stays in use.
  void give_back(int tag, bool is_over) {
    if (is_over) {
      used_.erase(tag);
    } else {
      has_lost_one_ = true;
    }
  }
  [[nodiscard]] bool has_lost_one() const { return has_lost_one_; }

 private:
  std::uint64_t next_ = 0;
  int largest_;
  std::set<int> used_;
  bool has_lost_one_ = false;
};

}  // namespace boxcar::detail
