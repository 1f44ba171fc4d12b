// The coroutines of a PE that wait for runs of collectives, or for replies.
#pragma once

#include <cstddef>
#include <deque>

#include <boxcar/coroutine.hpp>

namespace boxcar::detail {

struct suspended_coroutines {
  std::deque<suspension*> waiting;
  std::deque<suspension*> over;  // about to be resumed
  std::size_t untested = 0;      // coroutines that wait for a notification

  static suspended_coroutines& of_this_pe();
  // Returns whether a coroutine waits for a run of the order.
  [[nodiscard]] bool any_in(const void* order) const;
};

}  // namespace boxcar::detail
