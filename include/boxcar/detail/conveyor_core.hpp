// The untyped half of a conveyor: what happens per item stands in this header, to be inlined; what
// happens per buffer or more rarely is out of line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/first_step.hpp>
#include <boxcar/detail/lane.hpp>
#include <boxcar/detail/packet.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class conveyor_core {
 public:
  // Collective. `item_bytes` is what a buffer must at least be able to hold. Throws argument_error
  // on all PEs if the options cannot work or differ between PEs.
  conveyor_core(const world& w, std::size_t item_bytes, const conveyor_options& options);
  conveyor_core(conveyor_core&&) noexcept;
  conveyor_core& operator=(conveyor_core&&) noexcept;
  ~conveyor_core();

  // `bytes` is the size given to `begin`; a constant, if possible.
  [[gnu::always_inline]] bool push(const void* item, std::size_t bytes, int pe) {
    if (static_cast<std::uint32_t>(pe) >= pes_) [[unlikely]]
      refuse_push(pe);
    if (way_ == way::direct) [[likely]] {
      lane& l = lanes_[pe];
      if (l.cursor == l.limit) [[unlikely]] {
        if (!make_room(static_cast<std::uint32_t>(pe))) return false;
      }
      std::memcpy(l.cursor, item, bytes);
      l.cursor += bytes;
      return true;
    }
    if (way_ == way::scattered) return push_scattered(item, pe);
    const link_and_tag step = first_step_.to(static_cast<std::uint32_t>(pe));
    lane& l = lanes_[step.link];
    if (l.cursor == l.limit) [[unlikely]] {
      if (!make_room(step.link)) return false;
    }
    store_tag(l.cursor, step.tag);
    std::memcpy(l.cursor + push_tag_bytes_, item, bytes);
    l.cursor += push_tag_bytes_ + bytes;
    return true;
  }

  // The next item that has arrived, wherever it lies, or nullptr.
  [[gnu::always_inline]] const std::byte* pull(std::size_t bytes) {
    if (read_ == read_limit_) [[unlikely]] {
      if (!next_buffer()) return nullptr;
    }
    const std::byte* item = read_ + pull_tag_bytes_;
    read_ += pull_tag_bytes_ + bytes;
    return item;
  }

  // The PE that pushed the item that was pulled last; meaningless if the last pull failed.
  [[nodiscard]] int from() const {
    if (way_ != way::routed) return static_cast<int>(origin_.base);
    if (read_ == nullptr) return -1;
    const std::byte* packet = read_ - pull_tag_bytes_ - item_bytes_;
    return origin_.of(load_tag(packet, pull_tag_mask_));
  }

  // A copy of an item that does not lie as `alignment` demands; good until the next one.
  const std::byte* aligned_copy(const std::byte* item, std::size_t alignment);

  bool unpull();
  // Collective. Items have `item_bytes`. Throws argument_error on all PEs if that is too large for a
  // buffer or differs between PEs.
  void begin(std::size_t item_bytes);
  advance_result advance(bool done);
  void reset();
  // Called when a session is left: resets it if it is complete. If it is not, the world has failed
  // by that, and `leave` throws contract_error unless `quietly`.
  void leave(bool quietly);

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] statistics session_statistics() const;
  [[nodiscard]] statistics total_statistics() const;
  [[nodiscard]] std::size_t buffer_bytes() const;
  [[nodiscard]] std::string explain() const;

 private:
  enum class way : std::uint8_t { direct, routed, scattered };
  struct parts;  // what is not needed per item

  [[noreturn]] void refuse_push(int pe) const;
  bool make_room(std::uint32_t link);
  bool next_buffer();
  bool push_scattered(const void* item, int pe);
  void write_scattered();
  void stop_reading();
  parts& inner() const;

  lane* lanes_ = nullptr;  // one per link of the first hop
  std::uint32_t pes_ = 0;  // that may be pushed to: none unless the session is working
  way way_ = way::direct;
  std::uint32_t push_tag_bytes_ = 0;
  first_step first_step_;
  std::byte* read_ = nullptr;
  std::byte* read_limit_ = nullptr;
  std::uint32_t pull_tag_bytes_ = 0;
  std::uint32_t pull_tag_mask_ = 0;
  std::uint32_t item_bytes_ = 0;
  origin origin_;
  std::unique_ptr<parts> parts_;
};

}  // namespace boxcar::detail
