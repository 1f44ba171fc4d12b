// The broadcast log has the broadcasts of a session on one PE. Broadcasts have numbers, equal on
// all PEs, and an object has the number of the last broadcast that was delivered to the object: an
// object that migrates gets from the log the broadcasts that it missed, and none twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxcar::detail {

class broadcast_log {
 public:
  struct entry {
    std::uint8_t kind;
    std::vector<std::byte> item;
  };

  // Returns the number of the last broadcast.
  [[nodiscard]] std::uint64_t last() const { return begin_ + entries_.size(); }
  const entry& add(std::uint8_t kind, std::span<const std::byte> item) {
    return entries_.emplace_back(entry{kind, {item.begin(), item.end()}});
  }
  // Returns the broadcast after the one with `number`. Precondition: the broadcast is of the
  // session.
  [[nodiscard]] const entry& after(std::uint64_t number) const { return entries_[number - begin_]; }
  // Precondition: all objects have got all broadcasts.
  void start_session() {
    begin_ = last();
    entries_.clear();
  }

 private:
  std::uint64_t begin_ = 0;
  std::vector<entry> entries_;
};

}  // namespace boxcar::detail
