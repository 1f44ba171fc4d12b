// The parts in use of a range of memory. A new part goes to the first gap with enough room.
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

  // Takes a part of `bytes` bytes, at least one. Returns where the part begins; nothing if there is
  // no room.
  std::optional<std::size_t> take(std::size_t bytes) {
    const auto at = find(bytes, 0);
    if (at) parts_.emplace(*at, bytes);
    return at;
  }
  // Returns where a part of `bytes` bytes could begin, not before `from`; nothing if there is no
  // room.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t bytes, std::size_t from) const {
    std::size_t at = from;
    for (const auto& [begin, length] : parts_) {
      if (begin >= at && begin - at >= bytes) break;
      at = std::max(at, begin + length);
    }
    if (at > bytes_ || bytes_ - at < bytes) return std::nullopt;
    return at;
  }
  // Takes a part that begins where `find` has returned.
  void take_at(std::size_t begin, std::size_t bytes) { parts_.emplace(begin, bytes); }
  void give_back(std::size_t begin) noexcept { parts_.erase(begin); }

 private:
  std::size_t bytes_;
  std::map<std::size_t, std::size_t> parts_;  // the start and the length of each part
};

}  // namespace boxcar::detail
