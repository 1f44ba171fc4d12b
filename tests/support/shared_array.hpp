// Memory that all PEs of a world see whatever the substrate and the nodes, by which tests check
// what holds between PEs. To be made before the world is started.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace boxcar::test {

// Elements are value-initialised and never destroyed. They should be atomic, or be written by one
// PE and read after the world has ended.
template <typename T>
class shared_array {
 public:
  explicit shared_array(std::size_t size) : size_(size) {
    void* pages = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("cannot map memory for a test");
    elements_ = static_cast<T*>(pages);
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
