// Which parts of a range of memory are in use. A new part goes where the first gap is that has
// room.
#pragma once

#include <algorithm>
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
    const auto at = find(bytes, 0);
    if (at) parts_.emplace(*at, bytes);
    return at;
  }
  // Where it could begin, not before `from`.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t bytes, std::size_t from) const {
    std::size_t at = from;
    for (const auto& [begin, length] : parts_) {
      if (begin >= at && begin - at >= bytes) break;
      at = std::max(at, begin + length);
    }
    if (at > bytes_ || bytes_ - at < bytes) return std::nullopt;
    return at;
  }
  // Begins it at a place that `find` has returned.
  void take_at(std::size_t begin, std::size_t bytes) { parts_.emplace(begin, bytes); }
  void give_back(std::size_t begin) noexcept { parts_.erase(begin); }

 private:
  std::size_t bytes_;
  std::map<std::size_t, std::size_t> parts_;  // where they begin, and how long they are
};

}  // namespace boxcar::detail
