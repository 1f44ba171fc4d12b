// A serial number tells objects of a process apart: no two objects have the same number, also if an
// object lies at the address of a destroyed object.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace boxcar::detail {

// Movable: the number goes with the object, and a moved-from object has the number 0, which no
// other object has.
class serial_number {
 public:
  // Thread safety: any.
  serial_number() : value_(last_.fetch_add(1, std::memory_order_relaxed) + 1) {}
  serial_number(serial_number&& other) noexcept : value_(std::exchange(other.value_, 0)) {}
  serial_number& operator=(serial_number&& other) noexcept {
    value_ = std::exchange(other.value_, 0);
    return *this;
  }
  ~serial_number() = default;

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  static inline std::atomic<std::uint64_t> last_{0};

  std::uint64_t value_;
};

}  // namespace boxcar::detail
