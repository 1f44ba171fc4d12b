// Parts of an adapter's memory, one after the other.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>

#include <boxcar/adapter.hpp>

namespace boxcar::test {

class allotment {
 public:
  explicit allotment(const adapter& a) : left_(a.memory()) {}

  template <typename T>
  std::span<T> of(std::size_t elements) {
    const std::size_t bytes = (elements * sizeof(T) + 7) / 8 * 8;
    if (bytes > left_.size()) throw std::logic_error("the test needs more memory");
    const auto at = reinterpret_cast<T*>(left_.data());
    left_ = left_.subspan(bytes);
    return {at, elements};
  }

 private:
  std::span<std::byte> left_;
};

template <typename T>
std::span<std::byte> bytes_of(std::span<T> elements) {
  return std::as_writable_bytes(elements);
}

}  // namespace boxcar::test
