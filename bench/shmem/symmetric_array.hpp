// Memory of OpenSHMEM's symmetric heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <shmem.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace boxcar::bench {

template <typename T>
class symmetric_array {
 public:
  symmetric_array() = default;
  symmetric_array(const symmetric_array&) = delete;
  symmetric_array& operator=(const symmetric_array&) = delete;
  // Collective.
  ~symmetric_array() { give_back(); }

  // Collective, with the same number on all PEs; the old content is lost. Throws on all PEs if
  // there is no room.
  void take(std::size_t n) {
    give_back();
    const std::size_t bytes = std::max(n, std::size_t{1}) * sizeof(T);
    data_ = static_cast<T*>(shmem_malloc(bytes));
    if (data_ != nullptr) return;
    throw std::runtime_error("OpenSHMEM's symmetric heap has no room for " + std::to_string(bytes) +
                             " bytes: make it larger by SHMEM_SYMMETRIC_SIZE, which is "
                             "SMA_SYMMETRIC_SIZE for Open MPI 4");
  }
  [[nodiscard]] bool is_taken() const { return data_ != nullptr; }
  [[nodiscard]] T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void give_back() {
    if (data_ != nullptr) shmem_free(std::exchange(data_, nullptr));
  }

  T* data_ = nullptr;
};

}  // namespace boxcar::bench
