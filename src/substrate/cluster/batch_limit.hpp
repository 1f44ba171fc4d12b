// A batch_limit limits the messages that one poll of a mailbox takes. The limit grows with the
// number of messages found. The first message is often all that the PE waits for, and a test for a
// second message takes as long as any other step.
#pragma once

#include <algorithm>

namespace boxcar::detail {

class batch_limit {
 public:
  // Calls `take_one()` until it returns false, or the limit is reached. Returns the number of
  // messages taken.
  template <typename TakeOne>
  int take(const TakeOne& take_one) {
    int taken = 0;
    while (taken < limit_ && take_one()) ++taken;
    limit_ = taken == limit_ ? std::min(2 * limit_, max_limit) : 1;
    return taken;
  }

 private:
  static constexpr int max_limit = 32;
  int limit_ = 1;
};

}  // namespace boxcar::detail
