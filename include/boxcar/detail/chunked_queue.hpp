// First-in first-out queues that share their memory: what one has read, any of them may write next,
// and as what was used last is used first, it is in the cache.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <utility>

namespace boxcar::detail {

// Chunks of up to so many elements. Grows as long as all are in use.
template <typename T>
class chunk_pool {
 public:
  struct chunk {
    std::unique_ptr<T[]> elements;
    std::size_t used = 0;   // of the elements
    chunk* next = nullptr;  // of the same queue, or free
  };

  explicit chunk_pool(std::size_t elements) : elements_(elements) {}
  chunk_pool(const chunk_pool&) = delete;
  chunk_pool& operator=(const chunk_pool&) = delete;

  [[nodiscard]] std::size_t elements() const { return elements_; }
  // Of elements and what finds them.
  [[nodiscard]] std::size_t memory_bytes() const {
    return all_.size() * (elements_ * sizeof(T) + sizeof(chunk));
  }

  chunk* take() {
    if (free_ == nullptr) {
      return &all_.emplace_back(chunk{std::make_unique_for_overwrite<T[]>(elements_)});
    }
    return std::exchange(free_, std::exchange(free_->next, nullptr));
  }
  // The next `take` does not throw, if no chunk is taken before but those that are given back.
  void reserve() {
    if (free_ == nullptr) give_back(take());
  }
  void give_back(chunk* c) { c->next = std::exchange(free_, c); }

 private:
  std::size_t elements_;
  std::deque<chunk> all_;
  chunk* free_ = nullptr;
};

// It has the size of a cache line, so that one of an array is found by a shift.
template <typename T>
class alignas(64) chunked_queue {
 public:
  using pool = chunk_pool<T>;

  chunked_queue() = default;
  chunked_queue(const chunked_queue&) = delete;
  chunked_queue& operator=(const chunked_queue&) = delete;

  void push(T value, pool& from) {
    if (write_ == write_limit_) [[unlikely]]
      write_on(from.elements(), 1, from);
    *write_++ = std::move(value);
  }

  // A chunk of so many elements, at most those of the pool, which are written later, but before
  // they are read.
  T* extend(std::size_t elements, pool& from) {
    write_on(elements, elements, from);
    return std::exchange(write_, write_limit_);
  }

  // The oldest element. There must be one.
  T pop(pool& to) {
    T oldest = std::move(*read_);
    drop(1, to);
    return oldest;
  }

  // The oldest elements, at least one if there is any, as far as they lie in a row.
  [[nodiscard]] std::span<T> oldest() {
    read_limit_ = written();
    return {read_, read_limit_};
  }
  // Pops so many of them, at least one.
  void drop(std::size_t n, pool& to) {
    read_ += n;
    if (read_ == read_limit_) [[unlikely]]
      read_on(to);
  }

 private:
  using chunk = typename pool::chunk;

  // How far the oldest chunk is written.
  T* written() {
    if (oldest_ == newest_) return write_;
    return oldest_->elements.get() + oldest_->used;
  }

  // Of so many elements, of which so many may be read by the time that anybody reads.
  [[gnu::noinline]] void write_on(std::size_t elements, std::size_t readable, pool& from) {
    chunk* const next = from.take();
    T* const begin = next->elements.get();
    next->used = elements;
    if (newest_ == nullptr) {
      oldest_ = next;
      read_ = begin;
      read_limit_ = begin + readable;
    } else {
      // What is not written of it by now never is.
      newest_->used = static_cast<std::size_t>(write_ - newest_->elements.get());
      newest_->next = next;
    }
    newest_ = next;
    write_ = begin;
    write_limit_ = begin + elements;
  }

  // All has been read that was known to be written.
  [[gnu::noinline]] void read_on(pool& to) {
    read_limit_ = written();
    if (read_ != read_limit_) return;
    chunk* const next = oldest_->next;
    to.give_back(oldest_);
    oldest_ = next;
    if (next == nullptr) {
      newest_ = nullptr;
      read_ = read_limit_ = write_ = write_limit_ = nullptr;
    } else {
      read_ = next->elements.get();
      read_limit_ = written();
    }
  }

  T* write_ = nullptr;
  T* write_limit_ = nullptr;
  T* read_ = nullptr;
  T* read_limit_ =
      nullptr;  // what was found to be written last: it is looked for when it is reached
  chunk* oldest_ = nullptr;
  chunk* newest_ = nullptr;
};

}  // namespace boxcar::detail
