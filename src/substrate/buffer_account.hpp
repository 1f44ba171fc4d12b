// A buffer_account counts the buffers with items sent and received by this PE over the streams of a
// world and its subworlds. Handlers of one stream may send over another stream: only the counts of
// all streams together show whether anything in flight could bring about an item.
#pragma once

#include <cstdint>
#include <memory>

namespace boxcar::detail {

struct buffer_account {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::shared_ptr<buffer_account> whole;  // the account of the enclosing world, if any

  void count_sent() {
    for (buffer_account* each = this; each != nullptr; each = each->whole.get()) ++each->sent;
  }
  void count_received() {
    for (buffer_account* each = this; each != nullptr; each = each->whole.get()) ++each->received;
  }
  // Returns true if buffers counted here count in `other`, too.
  [[nodiscard]] bool is_part_of(const buffer_account& other) const {
    const buffer_account* each = this;
    while (each != nullptr && each != &other) each = each->whole.get();
    return each != nullptr;
  }
};

}  // namespace boxcar::detail
