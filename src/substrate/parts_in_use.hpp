// Which parts of a range of memory are in use. A new part goes where the first gap is that has
// room.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace boxcar::detail {

class parts_in_use {
 public:
  explicit parts_in_use(std::size_t bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool none() const { return parts_.empty(); }

  // Where a part of so many bytes, at least one, begins from now on; nothing if there is no room.
  std::optional<std::size_t> take(std::size_t bytes) {
    std::size_t at = 0;  // the end of the part before the gap that is looked at
    for (const auto& [begin, length] : parts_) {
      if (begin - at >= bytes) break;
      at = begin + length;
    }
    if (bytes_ - at < bytes) return std::nullopt;
    parts_.emplace(at, bytes);
    return at;
  }
  void give_back(std::size_t begin) noexcept { parts_.erase(begin); }

 private:
  std::size_t bytes_;
  std::map<std::size_t, std::size_t> parts_;  // where they begin, and how long they are
};

}  // namespace boxcar::detail
