// Items on their way from `push` to their places in the buffers. With very many links the place is
// seldom in the cache: it is prefetched when the item is pushed, and written some pushes later
// (conveyors-2019, section 4.1, the option SCATTER).
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace boxcar::detail {

class scatter {
 public:
  explicit scatter(std::size_t item_bytes)
      : item_bytes_(item_bytes), items_(depth * item_bytes), places_(depth, nullptr) {}

  void write_later(std::byte* place, const void* item) {
    __builtin_prefetch(place, 1);
    const std::size_t slot = next_++ % depth;
    write(slot);
    places_[slot] = place;
    copy(items_.data() + slot * item_bytes_, item);
  }

  // To be called before any buffer is sent.
  void write_all() {
    for (std::size_t slot = 0; slot < depth; ++slot) write(slot);
  }

 private:
  static constexpr std::size_t depth = 32;

  // The commonest sizes without a call.
  void copy(void* to, const void* from) const {
    if (item_bytes_ == 8) {
      std::memcpy(to, from, 8);
    } else if (item_bytes_ == 16) {
      std::memcpy(to, from, 16);
    } else {
      std::memcpy(to, from, item_bytes_);
    }
  }

  void write(std::size_t slot) {
    if (places_[slot] == nullptr) return;
    copy(places_[slot], items_.data() + slot * item_bytes_);
    places_[slot] = nullptr;
  }

  std::size_t item_bytes_;
  std::vector<std::byte> items_;
  std::vector<std::byte*> places_;  // nullptr: already written
  std::size_t next_ = 0;
};

}  // namespace boxcar::detail
