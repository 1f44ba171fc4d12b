// A receive_ring numbers the receives of a mailbox, which are posted and read in turn. Messages
// match receives in the order of posting, so a mailbox examines only the oldest receive. Receives
// whose message was read are posted again later.
#pragma once

#include <cstddef>

namespace boxcar::detail {

template <std::size_t N>
class receive_ring {
 public:
  [[nodiscard]] std::size_t oldest() const { return oldest_; }
  [[nodiscard]] std::size_t num_posted() const { return N - taken_; }
  // Returns the number of the i-th posted receive, from the oldest on.
  [[nodiscard]] std::size_t posted(std::size_t i) const { return (oldest_ + i) % N; }
  // Returns the number of the receive to be posted next. Precondition: not all receives are posted.
  [[nodiscard]] std::size_t next() const { return (oldest_ + N - taken_) % N; }
  void note_posted() { --taken_; }
  // Records that the message of the oldest receive was read.
  void take() {
    oldest_ = (oldest_ + 1) % N;
    ++taken_;
  }

 private:
  std::size_t oldest_ = 0;
  std::size_t taken_ = N;  // receives before the oldest, not posted
};

}  // namespace boxcar::detail
