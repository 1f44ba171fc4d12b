// A first-in first-out queue of items of any size, one behind the other in a ring of bytes: nothing
// is allocated for an item.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/ring.hpp>

namespace boxcar::detail {

// It has the size of a cache line, as `ring`, and like that keeps no memory before the first item.
class elastic_queue {
 public:
  // When it is empty, memory that was made for large items is given up.
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

  // The oldest. There must be one, as `empty` has told. It stays where it is until the next push,
  // or until the queue is found empty.
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

  // An item and in front of it how large it is, which lies as its type demands.
  static constexpr std::size_t row_bytes(std::size_t item_bytes) {
    return (sizeof(std::size_t) + item_bytes + 7) / 8 * 8;
  }

  ring<std::byte> ring_;
};

}  // namespace boxcar::detail
