// A pool for buffers in flight between nodes of a simulated machine: only the buffers in use take
// memory, and returned buffers are used again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <vector>

#include "substrate/links.hpp"

namespace boxcar::detail {

class buffer_pool {
 public:
  buffer_pool() = default;
  buffer_pool(const buffer_pool&) = delete;
  buffer_pool& operator=(const buffer_pool&) = delete;
  ~buffer_pool() {
    for (const auto& [bytes, made] : made_) {
      for (std::byte* const b : made) ::operator delete(b, alignment);
    }
  }

  // Returns a buffer with any contents.
  std::byte* take(std::size_t bytes) {
    std::vector<std::byte*>& unused = unused_[bytes];
    if (unused.empty()) {
      made_[bytes].push_back(nullptr);
      made_[bytes].back() = static_cast<std::byte*>(::operator new(bytes, alignment));
      unused.push_back(made_[bytes].back());
    }
    std::byte* const taken = unused.back();
    unused.pop_back();
    in_use_ += bytes;
    most_ = std::max(most_, in_use_);
    return taken;
  }
  void give_back(std::byte* buffer, std::size_t bytes) {
    unused_[bytes].push_back(buffer);
    in_use_ -= bytes;
  }
  [[nodiscard]] std::size_t most_bytes() const { return most_; }

 private:
  static constexpr std::align_val_t alignment{buffer_alignment};

  std::map<std::size_t, std::vector<std::byte*>> unused_;  // by their size
  std::map<std::size_t, std::vector<std::byte*>> made_;
  std::size_t in_use_ = 0;
  std::size_t most_ = 0;
};

}  // namespace boxcar::detail
