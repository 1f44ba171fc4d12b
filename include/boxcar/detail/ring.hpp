// A first-in first-out queue that grows as needed and costs an index and a mask per element.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace boxcar::detail {

template <typename T>
class ring {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }

  void push(T value) {
    if (tail_ - head_ == slots_.size()) [[unlikely]]
      grow();
    slots_[tail_++ & (slots_.size() - 1)] = std::move(value);
  }

  // The ring must not be empty.
  T pop() { return std::move(slots_[head_++ & (slots_.size() - 1)]); }

  // Holds no memory any more.
  void release() {
    slots_ = std::vector<T>();
    head_ = tail_ = 0;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(T); }

 private:
  void grow() {
    constexpr std::size_t first = 64;
    std::vector<T> larger(slots_.empty() ? first : 2 * slots_.size());
    const std::size_t count = tail_ - head_;
    for (std::size_t i = 0; i < count; ++i) larger[i] = pop();
    slots_ = std::move(larger);
    head_ = 0;
    tail_ = count;
  }

  std::vector<T> slots_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace boxcar::detail
