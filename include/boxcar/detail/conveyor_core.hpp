// The untyped half of a conveyor: what happens per item stands in this header, to be inlined; what
// happens per buffer or more rarely is out of line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// Where the next packet of an outgoing link goes. cursor == limit: there is no room, be it that the
// buffer is full, that none is open, or that no session is on.
struct lane {
  std::byte* cursor;
  std::byte* limit;
};

class conveyor_engine;

class conveyor_core {
 public:
  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs.
  conveyor_core(const world& w, std::size_t item_bytes, const conveyor_options& options);
  conveyor_core(conveyor_core&&) noexcept;
  conveyor_core& operator=(conveyor_core&&) noexcept;
  ~conveyor_core();

  // Room for an item to `pe`, or nullptr if there is none now. Throws as `push` does.
  std::byte* room_for(int pe) {
    if (static_cast<std::uint32_t>(pe) >= pes_) [[unlikely]]
      refuse_push(pe);
    lane& l = lanes_[pe];
    if (l.cursor == l.limit) [[unlikely]] {
      if (!make_room(pe)) return nullptr;
    }
    std::byte* room = l.cursor;
    l.cursor = room + item_bytes_;
    return room;
  }

  // The next item that has arrived, or nullptr; `from_` is then the PE that pushed it.
  std::byte* next_item() {
    if (read_ == read_limit_) [[unlikely]] {
      if (!next_buffer()) return nullptr;
    }
    std::byte* item = read_;
    read_ = item + item_bytes_;
    return item;
  }
  [[nodiscard]] int from() const { return from_; }

  bool unpull();
  void begin();
  advance_result advance(bool done);
  void reset();
  // Called when a session is left: resets it if it is complete. If it is not, the world has failed
  // by that, and `leave` throws contract_error unless `quietly`.
  void leave(bool quietly);

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] statistics session_statistics() const;
  [[nodiscard]] statistics total_statistics() const;
  [[nodiscard]] std::size_t buffer_bytes() const;

 private:
  [[noreturn]] void refuse_push(int pe) const;
  bool make_room(int pe);
  bool next_buffer();

  conveyor_engine& engine() const;

  lane* lanes_ = nullptr;  // one per PE
  std::uint32_t pes_ = 0;  // that may be pushed to: none unless the session is working
  std::uint32_t item_bytes_ = 0;
  std::byte* read_ = nullptr;
  std::byte* read_limit_ = nullptr;
  int from_ = 0;
  std::unique_ptr<conveyor_engine> engine_;
};

}  // namespace boxcar::detail
