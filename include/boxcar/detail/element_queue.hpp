// A first-in first-out queue of elements whose size is known at run time; it grows as needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace boxcar::detail {

class element_queue {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  void clear() { head_ = tail_ = 0; }

  void push(const void* element, std::size_t bytes) {
    if (tail_ - head_ == capacity_) [[unlikely]]
      grow(bytes);
    std::memcpy(slots_.data() + (tail_++ & (capacity_ - 1)) * bytes, element, bytes);
  }

  // The same for `n` elements that lie in a row.
  void push_row(const std::byte* elements, std::size_t n, std::size_t bytes) {
    while (capacity_ - (tail_ - head_) < n) grow(bytes);
    const std::size_t at = tail_ & (capacity_ - 1);
    const std::size_t before_end = std::min(n, capacity_ - at);
    std::memcpy(slots_.data() + at * bytes, elements, before_end * bytes);
    std::memcpy(slots_.data(), elements + before_end * bytes, (n - before_end) * bytes);
    tail_ += n;
  }

  // The oldest element, good until the next push. The queue must not be empty.
  const std::byte* pop(std::size_t bytes) {
    return slots_.data() + (head_++ & (capacity_ - 1)) * bytes;
  }

  // Holds no memory any more; elements of another size may follow.
  void release() {
    clear();
    capacity_ = 0;
    slots_ = std::vector<std::byte>();
  }

  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity(); }

 private:
  void grow(std::size_t bytes) {
    constexpr std::size_t first = 64;
    const std::size_t count = tail_ - head_;
    const std::size_t larger = capacity_ == 0 ? first : 2 * capacity_;
    std::vector<std::byte> slots(larger * bytes);
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(slots.data() + i * bytes, pop(bytes), bytes);
    slots_ = std::move(slots);
    capacity_ = larger;
    head_ = 0;
    tail_ = count;
  }

  std::vector<std::byte> slots_;
  std::size_t capacity_ = 0;  // a power of two, or none
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace boxcar::detail
