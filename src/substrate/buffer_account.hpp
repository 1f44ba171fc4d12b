// How many buffers with items this PE has sent and received over the streams of a world and of its
// parts, since they were made. Handlers of one stream may send over another: whether anything is on
// its way that could bring about an item is known only of all of them together.
#pragma once

#include <cstdint>
#include <memory>

namespace boxcar::detail {

struct buffer_account {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::shared_ptr<buffer_account> whole;  // of the world that this one is a part of, if it is

  void count_sent() {
    for (buffer_account* each = this; each != nullptr; each = each->whole.get()) ++each->sent;
  }
  void count_received() {
    for (buffer_account* each = this; each != nullptr; each = each->whole.get()) ++each->received;
  }
  // What is counted here is counted there, too.
  [[nodiscard]] bool is_part_of(const buffer_account& other) const {
    const buffer_account* each = this;
    while (each != nullptr && each != &other) each = each->whole.get();
    return each != nullptr;
  }
};

}  // namespace boxcar::detail
