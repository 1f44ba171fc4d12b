// An elastic queue is a first-in first-out queue of items of any size, one behind the other in a
// ring of bytes, without an allocation per item.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/ring.hpp>

namespace boxcar::detail {

// The queue has the size of a cache line, as `ring`, and, as a ring, holds no memory before the
// first item.
class elastic_queue {
 public:
  // Returns whether the queue is empty. An empty queue frees memory that was allocated for large
  // items.
  [[nodiscard]] bool empty() {
    if (!ring_.empty()) return false;
    if (ring_.memory_bytes() > most_kept) [[unlikely]]
      ring_.release();
    return true;
  }

  void push(std::span<const std::byte> item) {
    std::byte* const row = ring_.begin_row(row_bytes(item.size()), at_first);
    const std::size_t bytes = item.size();
    std::memcpy(row, &bytes, sizeof bytes);
    copy_bytes(row + sizeof bytes, item.data(), bytes);
    ring_.end_row(row + row_bytes(bytes));
  }

  // Removes and returns the oldest item. Precondition: `empty` has returned false. The item stays
  // in place until the next push, or until the queue is found empty.
  [[nodiscard]] std::span<const std::byte> pop() {
    const std::byte* const row = ring_.front();
    std::size_t bytes;
    std::memcpy(&bytes, row, sizeof bytes);
    ring_.pop_front(row_bytes(bytes));
    return {row + sizeof bytes, bytes};
  }

  void release() { ring_.release(); }
  [[nodiscard]] std::size_t memory_bytes() const { return ring_.memory_bytes(); }

 private:
  static constexpr std::size_t at_first = 1024;
  static constexpr std::size_t most_kept = std::size_t{1} << 20;

  // A row is the size of an item, aligned for std::size_t, followed by the item.
  static constexpr std::size_t row_bytes(std::size_t item_bytes) {
    return (sizeof(std::size_t) + item_bytes + 7) / 8 * 8;
  }

  ring<std::byte> ring_;
};

}  // namespace boxcar::detail
