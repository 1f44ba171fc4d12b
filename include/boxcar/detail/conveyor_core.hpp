// The conveyor core is the untyped half of a conveyor for items of one size. The code that runs per
// item is in the header, to be inlined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>

#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/detail/packet.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

class scatter;

class conveyor_core final : public conveyor_base {
 public:
  // Collective. `item_bytes` is the minimum capacity of a buffer. Throws argument_error on all PEs
  // if the options cannot work or differ between PEs. `conveyors` conveyors work together on each
  // PE, and share its cache. All PEs give items of the same type, if any.
  conveyor_core(const world& w, std::size_t item_bytes, const conveyor_options& options,
                std::size_t conveyors = 1, const type_identity& type = {});
  conveyor_core(conveyor_core&&) noexcept;
  conveyor_core& operator=(conveyor_core&&);
  ~conveyor_core() override;

  // Pushes an item. `bytes` is the size given to `begin`; a constant, if possible.
  [[gnu::always_inline]] bool push(const void* item, std::size_t bytes, int pe) {
    const auto write = [=](std::byte* place) { std::memcpy(place, item, bytes); };
    return write_at_hand(write, write, bytes, pe) || push_otherwise(item, bytes, pe);
  }
  // Pushes an item of the size given to `begin`.
  template <typename T>
  [[gnu::always_inline]] bool push_item(const T& item, int pe) {
    return push_item_at_hand(item, pe) || push_item_otherwise<T>(item, pe);
  }
  // Pushes the item if there is room in the open buffer; otherwise returns false without effect.
  // The function calls nothing, so that a loop around the function keeps its variables in
  // registers.
  template <typename T>
  [[gnu::always_inline]] bool push_item_at_hand(const T& item, int pe) {
    const auto copy = [&item](std::byte* place) { std::memcpy(place, &item, sizeof item); };
    if constexpr (alignof(T) > row_alignment || !std::is_copy_constructible_v<T>) {
      return write_at_hand(copy, copy, sizeof item, pe);
    } else {
      // In a row the item is written as a T: bytes might alias anything that the client's loop
      // keeps in registers.
      const auto make = [&item](std::byte* place) { ::new (static_cast<void*>(place)) T(item); };
      return write_at_hand(make, copy, sizeof item, pe);
    }
  }

  // The type by which an item is passed to a function out of line. A small item is passed by value:
  // a client's loop would keep in memory every item whose address is passed.
  template <typename T>
  using passed =
      std::conditional_t<sizeof(T) <= 64 && std::is_copy_constructible_v<T>, T, const T&>;

  // Returns the first steps of items, for single pushes. Valid in a session.
  [[nodiscard]] const first_steps& setting_out() const { return steps_; }
  // Pushes an item of `bytes` bytes that `write(place)` writes into the buffer; if `write` throws,
  // nothing is pushed. Precondition: the push is legal. `steps` is a copy of the result of
  // `setting_out`, for loops to keep in registers.
  template <typename Write>
  [[gnu::always_inline]] bool push_written(const first_steps& steps, std::uint32_t pe,
                                           std::size_t bytes, const Write& write) {
    return push_over([&] { return steps.to(pe); }, bytes, write);
  }

  // Returns the next item that has arrived, in place, or nullptr.
  [[gnu::always_inline]] const std::byte* pull(std::size_t bytes) {
    std::byte* place;
    if (!find_next(place)) return nullptr;
    read_ = place + bytes;
    return place;
  }
  // Copies the next item; returns false if no item has arrived.
  [[gnu::always_inline]] bool pull_into(void* item, std::size_t bytes) {
    std::byte* place;
    if (!find_next(place)) return false;
    std::memcpy(item, place, bytes);
    read_ = place + bytes;
    return true;
  }

  // Pulls all items that have arrived, and calls `take(item, from)` for each item. Meanwhile only a
  // push is legal.
  template <typename Take>
  [[gnu::always_inline]] void pull_all(std::size_t bytes, Take&& take) {
    pull_while(bytes, [&take](const std::byte* item, int from) {
      take(item, from);
      return true;
    });
  }
  // Pulls items up to an item for which `take` returns false: the item has not been pulled.
  template <typename Take>
  [[gnu::always_inline]] void pull_while(std::size_t bytes, Take&& take) {
    while (load_next() && pull_buffer(bytes, take)) {
    }
  }

  // The fast paths of `push` and `pull`: without room in the open buffer, or without an item in the
  // current buffer, they have no effect and return false, or nullptr. They call nothing, so that a
  // function around them needs no frame. `Direct` is the result of `is_direct`.
  template <bool Direct>
  [[gnu::always_inline]] bool push_at_hand(const void* item, std::size_t bytes, std::uint64_t pe) {
    if (pe >= pes_) [[unlikely]]
      return false;
    if (!Direct && way_ == way::scattered) [[unlikely]]
      return false;
    const auto to = static_cast<std::uint32_t>(pe);
    const step s = Direct ? step{lanes_ + to, 0, 0} : steps_.to(to);
    if (s.to->cursor == s.to->limit) [[unlikely]]
      return false;
    prefetch_to_write(s.to->cursor + write_ahead);
    if constexpr (!Direct) store_tag(s.to->cursor, s.tag);
    std::memcpy(s.to->cursor + s.tag_bytes, item, bytes);
    s.to->cursor += s.tag_bytes + bytes;
    return true;
  }
  template <bool Direct>
  [[gnu::always_inline]] const std::byte* pull_at_hand(std::size_t bytes) {
    std::byte* const packet = read_;
    if (packet == read_limit_) [[unlikely]]
      return nullptr;
    const std::size_t tag_bytes = Direct ? 0 : pull_tag_bytes_;
    read_ = packet + tag_bytes + bytes;
    return packet + tag_bytes;
  }

  // A row is the items of a buffer, over one hop: the items lie side by side without tags, and all
  // are from the same PE. A loop can pull and push a row at a time, with all variables in
  // registers.
  struct row {
    std::byte* begin = nullptr;
    std::byte* end = nullptr;

    [[nodiscard]] bool empty() const { return begin == end; }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  };
  // The alignment of buffers; rows have the layout of arrays.
  static constexpr std::size_t row_alignment = 64;
  [[nodiscard]] bool has_rows() const { return way_ == way::direct || way_ == way::scattered; }
  // Returns the items that are pulled next, all from the PE `from()`; empty if no item has arrived.
  // `pulled_to` pulls the items before a place in the row.
  row unread_row() {
    if (!load_next()) return {};
    return {read_, read_limit_};
  }
  void pulled_to(std::byte* place) { read_ = place; }
  // Returns the place of the next items to a PE, as many as there is room for. Precondition: the
  // conveyor is working, and the PE exists. `pushed_to` pushes the written items; `place` is their
  // end.
  row room_for(int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    lane& l = lanes_[to];
    if (l.cursor == l.limit && !make_room(l)) return {};
    return {l.cursor, l.limit};
  }
  void pushed_to(int pe, std::byte* place) {
    lanes_[static_cast<std::uint32_t>(pe)].cursor = place;
  }

  // The cursors of `push` and `pull` if a call only has to copy an item: for the C interface, whose
  // functions a client's compiler can inline but which cannot use the class.
  struct direct_access {
    lane* lanes;
    std::byte** read;
    std::byte* const* read_limit;
    const std::uint32_t* source;
  };
  // Returns whether pushes only copy: there is one hop, and items are written to their place
  // immediately.
  [[nodiscard]] bool is_direct() const { return way_ == way::direct; }
  // Returns the cursors, valid during a session.
  direct_access access() { return {lanes_, &read_, &read_limit_, &origin_.base}; }

  // Returns the PE that pushed the item that was pulled last; meaningless if the last pull failed.
  template <bool Direct>
  [[nodiscard]] int from_at_hand() const {
    return Direct ? static_cast<int>(origin_.base) : from();
  }
  [[nodiscard]] int from() const {
    if (pull_tag_mask_ == 0) return static_cast<int>(origin_.base);
    if (read_ == nullptr) return -1;
    const std::byte* packet = read_ - pull_tag_bytes_ - item_bytes_;
    return origin_.of(load_tag(packet, pull_tag_mask_));
  }

  // Returns the pulled item, or a copy if the item does not lie as `alignment` demands. Valid until
  // the next call.
  const std::byte* aligned(const std::byte* item, std::size_t alignment) {
    if (reinterpret_cast<std::uintptr_t>(item) % alignment == 0) [[likely]]
      return item;
    return aligned_copy(item, item_bytes_, alignment);
  }

  // Collective. Items have `item_bytes` bytes. Throws argument_error on all PEs if the size is too
  // large for a buffer or differs between PEs.
  void begin(std::size_t item_bytes);
  bool unpull();
  [[nodiscard]] std::size_t item_bytes() const { return item_bytes_; }
  [[nodiscard]] statistics session_statistics() const override;

 private:
  enum class way : std::uint8_t { direct, scattered, over_several_hops };

  // `write(place)` and `write_anywhere(place)` write the item; `write` is for items in a row.
  template <typename Write, typename WriteAnywhere>
  [[gnu::always_inline]] bool write_at_hand(const Write& write, const WriteAnywhere& write_anywhere,
                                            std::size_t bytes, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= direct_pes_) [[unlikely]]
      return write_packet_at_hand(write_anywhere, bytes, to);
    lane& l = lanes_[to];
    std::byte* const cursor = l.cursor;
    if (cursor == l.limit) [[unlikely]]
      return false;
    prefetch_to_write(cursor + write_ahead);
    write(cursor);
    l.cursor = cursor + bytes;
    return true;
  }
  template <typename Write>
  [[gnu::always_inline]] bool write_packet_at_hand(const Write& write, std::size_t bytes,
                                                   std::uint32_t pe) {
    if (pe >= listed_pes_) [[unlikely]]
      return false;
    const step s = steps_.listed(pe);
    if (s.to->cursor == s.to->limit) [[unlikely]]
      return false;
    write_packet(s, bytes, write);
    return true;
  }
  template <typename T>
  [[gnu::noinline]] bool push_item_otherwise(passed<T> item, int pe) {
    return push_otherwise(&item, sizeof item, pe);
  }
  // The slow path of a push: the push needs more than a look, or is illegal.
  [[gnu::always_inline]] bool push_otherwise(const void* item, std::size_t bytes, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= pes_) [[unlikely]]
      refuse_push(pe);
    const auto write = [=](std::byte* place) { std::memcpy(place, item, bytes); };
    if (way_ == way::scattered) {
      std::byte* const place = scattered_place(to);
      if (place != nullptr) write(place);
      return place != nullptr;
    }
    return push_over([&] { return steps_.to(to); }, bytes, write);
  }
  template <typename Find, typename Write>
  [[gnu::always_inline]] bool push_over(const Find& find_step, std::size_t bytes,
                                        const Write& write) {
    step s = find_step();
    while (s.to->cursor == s.to->limit) [[unlikely]] {
      if (!make_room(*s.to)) return false;
      s = find_step();  // computed again, so that no register holds the step meanwhile
    }
    write_packet(s, bytes, write);
    return true;
  }
  template <typename Write>
  [[gnu::always_inline]] static void write_packet(const step& s, std::size_t bytes,
                                                  const Write& write) {
    std::byte* const packet = s.to->cursor;
    prefetch_to_write(packet + write_ahead);
    store_tag(packet, s.tag);
    write(packet + s.tag_bytes);
    s.to->cursor = packet + s.tag_bytes + bytes;
  }

  // Returns whether there is an item to pull, and its address.
  [[gnu::always_inline]] bool find_next(std::byte*& place) {
    place = read_;
    if (std::less<>{}(place, row_limit_)) [[likely]]
      return true;
    if (!load_next()) [[unlikely]]
      return false;
    place = read_ + pull_tag_bytes_;
    return true;
  }

  // Pulls the items of one buffer. Returns true if everything was taken.
  template <typename Take>
  [[gnu::always_inline]] bool pull_buffer(std::size_t bytes, Take& take) {
    const bool in_row = read_limit_ == row_limit_;
    std::byte* const end = read_limit_;
    std::byte* packet = hand_out();
    try {
      if (in_row) {
        const auto from = static_cast<int>(origin_.base);
        for (; packet != end && take(packet, from); packet += bytes) {
        }
      } else {
        const origin from = origin_;
        const std::uint32_t mask = pull_tag_mask_;
        const std::size_t tag_bytes = pull_tag_bytes_;
        const std::size_t stride = tag_bytes + bytes;
        for (; packet != end && take(packet + tag_bytes, from.of(load_tag(packet, mask)));
             packet += stride) {
        }
      }
    } catch (...) {
      take_back(packet + pull_tag_bytes_ + bytes);
      throw;
    }
    take_back(packet);
    return packet == end;
  }

  // Updates the route after a change: with tuning, items may travel differently from session to
  // session.
  void note_way();
  bool load_next() { return read_ != read_limit_ || read_on(); }
  bool read_on();
  // Returns everything that is unread in the buffer, and marks the buffer as read; other attempts
  // to read are refused until `take_back` returns the unread rest.
  std::byte* hand_out();
  void take_back(std::byte* unread);
  // Returns the place of an item that is written to its buffer later; nullptr if there is no room.
  // (The item itself is not passed: a compiler would then keep every item in memory.)
  std::byte* scattered_place(std::uint32_t pe);
  void write_delayed() override;

  way way_ = way::direct;
  std::uint32_t pull_tag_bytes_ = 0;
  std::uint32_t pull_tag_mask_ = 0;
  std::uint32_t item_bytes_ = 0;
  std::byte* unpull_floor_ = nullptr;  // how far unpull may go back
  std::unique_ptr<scatter> delayed_;
};

}  // namespace boxcar::detail
