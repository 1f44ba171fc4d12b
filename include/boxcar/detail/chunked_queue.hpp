// Chunked queues are first-in first-out queues that share their memory: memory that a queue has
// read may be written by any queue. The memory used last is reused first, and so is in the cache.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <utility>

namespace boxcar::detail {

// A pool of chunks of `elements` elements. The pool grows when all chunks are in use.
template <typename T>
class chunk_pool {
 public:
  struct chunk {
    std::unique_ptr<T[]> elements;
    std::size_t used = 0;   // elements in use
    chunk* next = nullptr;  // the next chunk of the same queue, or the next free chunk
  };

  explicit chunk_pool(std::size_t elements) : elements_(elements) {}
  chunk_pool(const chunk_pool&) = delete;
  chunk_pool& operator=(const chunk_pool&) = delete;

  [[nodiscard]] std::size_t elements() const { return elements_; }
  // Returns the bytes of all elements and chunks.
  [[nodiscard]] std::size_t memory_bytes() const {
    return all_.size() * (elements_ * sizeof(T) + sizeof(chunk));
  }

  chunk* take() {
    if (free_ == nullptr) {
      return &all_.emplace_back(chunk{std::make_unique_for_overwrite<T[]>(elements_)});
    }
    return std::exchange(free_, std::exchange(free_->next, nullptr));
  }
  // Ensures that the next `take` does not throw, if no chunk is taken before except chunks that are
  // given back.
  void reserve() {
    if (free_ == nullptr) give_back(take());
  }
  void give_back(chunk* c) { c->next = std::exchange(free_, c); }

 private:
  std::size_t elements_;
  std::deque<chunk> all_;
  chunk* free_ = nullptr;
};

// The queue has the size of a cache line, so that an index into an array of queues is a shift.
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

  // Returns a chunk of `elements` elements, at most the pool's, which are written later, but before
  // they are read.
  T* extend(std::size_t elements, pool& from) {
    write_on(elements, elements, from);
    return std::exchange(write_, write_limit_);
  }

  // Removes and returns the oldest element. Precondition: there is an element.
  T pop(pool& to) {
    T oldest = std::move(*read_);
    drop(1, to);
    return oldest;
  }

  // Returns the oldest elements, at least one if there is any, as far as they lie in a row.
  [[nodiscard]] std::span<T> oldest() {
    read_limit_ = written();
    return {read_, read_limit_};
  }
  // Pops `n` of the oldest elements, at least one.
  void drop(std::size_t n, pool& to) {
    read_ += n;
    if (read_ == read_limit_) [[unlikely]]
      read_on(to);
  }

 private:
  using chunk = typename pool::chunk;

  // Returns the end of the written elements of the oldest chunk.
  T* written() {
    if (oldest_ == newest_) return write_;
    return oldest_->elements.get() + oldest_->used;
  }

  // Opens a new chunk of `elements` elements, of which `readable` may be read by the time of the
  // next read.
  [[gnu::noinline]] void write_on(std::size_t elements, std::size_t readable, pool& from) {
    chunk* const next = from.take();
    T* const begin = next->elements.get();
    next->used = elements;
    if (newest_ == nullptr) {
      oldest_ = next;
      read_ = begin;
      read_limit_ = begin + readable;
    } else {
      // The unwritten rest of the chunk is never written.
      newest_->used = static_cast<std::size_t>(write_ - newest_->elements.get());
      newest_->next = next;
    }
    newest_ = next;
    write_ = begin;
    write_limit_ = begin + elements;
  }

  // Continues with the next elements after the last element known to be written.
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
  T* read_limit_ = nullptr;  // the end of the written elements when last looked for; looked for
                             // again when reached
  chunk* oldest_ = nullptr;
  chunk* newest_ = nullptr;
};

}  // namespace boxcar::detail
