// Items on their way from `push` to their places in the buffers. With very many links the place is
// seldom in the cache: the place is prefetched when the item is pushed, and written some pushes
// later (conveyors-2019, section 4.1, the option SCATTER).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

class scatter {
 public:
  explicit scatter(std::size_t item_bytes) : item_bytes_(item_bytes), items_(depth * item_bytes) {}

  // Returns memory for an item that is to be copied to `place` later.
  std::byte* room_for(std::byte* place) {
    prefetch_to_write(place);
    const std::size_t slot = next_++ % depth;
    std::byte* const item = item_in(slot);
    std::byte* const earlier = std::exchange(places_[slot], place);
    if (earlier != nullptr) copy(earlier, item, item_bytes_);
    return item;
  }

  // Copies all items to their places. Called before any buffer is sent.
  void write_all() {
    for (std::size_t slot = 0; slot < depth; ++slot) {
      std::byte* const place = std::exchange(places_[slot], nullptr);
      if (place != nullptr) copy(place, item_in(slot), item_bytes_);
    }
  }

 private:
  static constexpr std::size_t depth = 32;

  std::byte* item_in(std::size_t slot) { return items_.data() + slot * item_bytes_; }
  static void copy(std::byte* place, const std::byte* item, std::size_t bytes) {
    if (bytes == 8) {  // the most common sizes without a call
      std::memcpy(place, item, 8);
    } else if (bytes == 16) {
      std::memcpy(place, item, 16);
    } else {
      std::memcpy(place, item, bytes);
    }
  }

  std::size_t item_bytes_;
  std::vector<std::byte> items_;
  std::array<std::byte*, depth> places_{};  // nullptr: already written
  std::size_t next_ = 0;
};

}  // namespace boxcar::detail
