// A ring is a first-in first-out queue that costs a cursor and a limit per element, as a lane does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace boxcar::detail {

// The elements lie from the read cursor to the write cursor, and may wrap around to the front of
// the memory in between. Each limit is the limit found last, and may be lower than possible: the
// limit is looked for when reached.
//
// With `step`, an element is `step` Ts, always the same number until `release`. `begin_row` writes
// rows of any number of Ts instead, and each row lies in one piece.
//
// The ring has the size of a cache line, so that an index into an array of rings is a shift.
template <typename T>
class alignas(64) ring {
 public:
  ring() = default;
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ring(ring&& other) noexcept { swap(other); }
  ring& operator=(ring&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ring() = default;

  [[nodiscard]] bool empty() { return read_ == read_limit_ && !read_on(); }
  [[nodiscard]] bool has_room() { return write_ != write_limit_ || find_room(); }

  void push(T value) {
    if (!has_room()) [[unlikely]]
      grow(1, 64);
    put(std::move(value));
  }
  // Precondition: there is room.
  void put(T value) { *write_++ = std::move(value); }
  // Copies an element of `step` Ts.
  void push_element(const T* element, std::size_t step) {
    if (!has_room()) [[unlikely]]
      grow(step, 64 * step);
    write_ = std::copy_n(element, step, write_);
  }
  // Copies `n` Ts that lie in a row.
  void push_row(const T* row, std::size_t n, std::size_t step) {
    while (n > 0) {
      if (!has_room()) grow(step, 64 * step);
      const std::size_t now = std::min(n, static_cast<std::size_t>(write_limit_ - write_));
      write_ = std::copy_n(row, now, write_);
      row += now;
      n -= now;
    }
  }

  // Returns the place of `n` Ts in one piece; `end_row` gets the end of the written Ts. The first
  // allocation is for `at_first` Ts.
  [[nodiscard]] T* begin_row(std::size_t n, std::size_t at_first) {
    if (static_cast<std::size_t>(write_limit_ - write_) < n) [[unlikely]] {
      if (!find_room(n)) grow(n, at_first);
    }
    return write_;
  }
  void end_row(T* end) { write_ = end; }

  // Returns the oldest element. Precondition: `empty` has returned false. The element stays in
  // place until the next push.
  T* front() { return read_; }
  void pop_front(std::size_t step = 1) { read_ += step; }
  T pop() {
    if (read_ == read_limit_) [[unlikely]]
      read_on();
    return std::move(*read_++);
  }

  // Empties the ring, and makes room for `elements` elements of one T each.
  void make(std::size_t elements) {
    if (capacity_ != elements) {
      slots_ = std::make_unique_for_overwrite<T[]>(elements);
      capacity_ = elements;
    }
    start(0);
  }
  // Removes the room until the next `make`.
  void close() {
    write_limit_ = write_;
    closed_ = true;
  }
  // Frees the memory; later elements may have another size.
  void release() { *this = ring(); }

  [[nodiscard]] std::size_t memory_bytes() const { return capacity_ * sizeof(T); }

 private:
  [[nodiscard]] T* first() { return slots_.get(); }
  [[nodiscard]] T* end() { return slots_.get() + capacity_; }

  void start(std::size_t n) {
    read_ = first();
    write_ = read_limit_ = first() + n;
    write_limit_ = end();
    wrapped_at_ = nullptr;
    closed_ = false;
  }
  [[nodiscard]] bool wrapped() const { return wrapped_at_ != nullptr; }

  // The functions are out of line, so that they cost nothing where nothing has to be looked for.
  [[gnu::noinline]] bool read_on() {
    if (wrapped() && read_ == wrapped_at_) {
      wrapped_at_ = nullptr;
      read_ = first();
      if (!closed_) write_limit_ = end();
    }
    read_limit_ = wrapped() ? wrapped_at_ : write_;
    if (read_ != read_limit_) return true;
    if (!closed_) start(0);  // the memory used last is in a cache
    return false;
  }

  // Looks for room for `n` Ts in one piece.
  [[gnu::noinline]] bool find_room(std::size_t n = 1) {
    if (closed_) return false;
    if (!wrapped() && static_cast<std::size_t>(read_ - first()) >= n) {
      wrapped_at_ = read_limit_ = write_;
      write_ = first();
    }
    write_limit_ = wrapped() ? read_ : end();
    return static_cast<std::size_t>(write_limit_ - write_) >= n;
  }

  // Enlarges the memory when there is no room for `n` Ts.
  [[gnu::noinline]] void grow(std::size_t n, std::size_t at_first) {
    const auto used = static_cast<std::size_t>(wrapped() ? wrapped_at_ - read_ + write_ - first()
                                                         : write_ - read_);
    const std::size_t capacity = std::max(capacity_ == 0 ? at_first : 2 * capacity_, used + n);
    auto larger = std::make_unique_for_overwrite<T[]>(capacity);
    T* const to = std::move(read_, wrapped() ? wrapped_at_ : write_, larger.get());
    if (wrapped()) std::move(first(), write_, to);
    slots_ = std::move(larger);
    capacity_ = capacity;
    start(used);
  }

  void swap(ring& other) {
    std::swap(slots_, other.slots_);
    std::swap(capacity_, other.capacity_);
    std::swap(write_, other.write_);
    std::swap(write_limit_, other.write_limit_);
    std::swap(read_, other.read_);
    std::swap(read_limit_, other.read_limit_);
    std::swap(wrapped_at_, other.wrapped_at_);
    std::swap(closed_, other.closed_);
  }

  std::unique_ptr<T[]> slots_;
  std::size_t capacity_ = 0;
  T* write_ = nullptr;
  T* write_limit_ = nullptr;
  T* read_ = nullptr;
  T* read_limit_ = nullptr;
  // The end of the elements to read before they continue at the front of the memory; nullptr: the
  // elements do not wrap around.
  T* wrapped_at_ = nullptr;
  bool closed_ = false;
};

}  // namespace boxcar::detail
