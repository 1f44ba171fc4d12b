// A movable part is the part of a public object that stays in place when the object moves. Access
// to a part that has moved to another object throws contract_error.
#pragma once

#include <memory>
#include <utility>

namespace boxcar::detail {

// Throws contract_error: the object has been moved from.
[[noreturn]] void refuse_moved(const char* object);

template <typename T>
class movable_part {
 public:
  // `object`: how errors name the public object; a literal.
  movable_part(const char* object, std::unique_ptr<T> part)
      : part_(std::move(part)), object_(object) {}

  [[nodiscard]] bool is_here() const { return part_ != nullptr; }
  [[nodiscard]] T& operator*() const {
    if (part_ == nullptr) [[unlikely]]
      refuse_moved(object_);
    return *part_;
  }
  [[nodiscard]] T* operator->() const { return &**this; }

 private:
  std::unique_ptr<T> part_;  // nullptr: moved from
  const char* object_;
};

}  // namespace boxcar::detail
