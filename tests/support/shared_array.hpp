// Memory shared by all PEs of a world, on any substrate and nodes, for checks of invariants between
// PEs. Made before the world is started.
#pragma once

#include <cstddef>
#include <new>
#include <sys/mman.h>

#include "support/shared_pages.hpp"

namespace boxcar::test {

// Elements are value-initialised and never destroyed. They should be atomic, or be written by one
// PE and read after the world has ended.
template <typename T>
class shared_array {
 public:
  explicit shared_array(std::size_t size) : size_(size) {
    elements_ = static_cast<T*>(map_shared_pages(bytes()));
    // Every process of a cluster's job initialises, before any process starts the world.
    for (std::size_t i = 0; i < size; ++i) new (elements_ + i) T{};
  }
  shared_array(const shared_array&) = delete;
  shared_array& operator=(const shared_array&) = delete;
  ~shared_array() { munmap(elements_, bytes()); }

  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return elements_[i]; }
  T& operator[](int i) { return elements_[static_cast<std::size_t>(i)]; }

 private:
  [[nodiscard]] std::size_t bytes() const { return (size_ == 0 ? 1 : size_) * sizeof(T); }

  std::size_t size_;
  T* elements_ = nullptr;
};

}  // namespace boxcar::test
