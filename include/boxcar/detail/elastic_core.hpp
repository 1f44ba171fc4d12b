// The elastic core is the untyped end of an elastic conveyor on one PE: items of any size
// (conveyors-2019, section 4.4).
//
// A packet is a tag of 4 bytes (none if there is only one hop), a descriptor of 4 bytes that holds
// the item's size and a flag for tickets, and the item, padded to a multiple of 4 bytes. An item
// that does not fit in a buffer, a monster, stays with its sender (rendezvous), and a ticket
// travels in its place. A ticket is urgent: the buffer with the ticket is sent immediately, on
// every hop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/detail/elastic_packet.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

class bulk_delivery;
class large_items;

struct elastic_items {
  std::size_t largest_bytes;  // of an item; larger items are refused
  std::size_t waiting_bytes;  // of monsters, or a single monster, waiting at a PE to be fetched
  type_identity type = {};
};

// Returns the limits for items of any size: a bound for waiting monsters, and no bound for an item.
template <typename T>
constexpr elastic_items any_size() {
  return {std::numeric_limits<std::size_t>::max(), std::size_t{16} << 20, identity_of<T>};
}

class elastic_core final : public conveyor_base {
 public:
  struct arrived_item {
    const std::byte* data;  // nullptr: nothing has arrived
    std::size_t bytes;
  };

  // Collective. All PEs give the same arguments.
  elastic_core(const world& w, const elastic_items& items, const conveyor_options& options);
  elastic_core(elastic_core&&) noexcept;
  elastic_core& operator=(elastic_core&&);
  ~elastic_core() override;

  [[gnu::always_inline]] bool push(const void* item, std::size_t bytes, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= pes_) [[unlikely]]
      refuse_push(pe);
    if (bytes > largest_in_buffer_) [[unlikely]]
      return push_monster(item, bytes, pe);
    const step s = step_to(to);
    const std::size_t needed = packet_bytes(tag_bytes_, bytes);
    if (static_cast<std::size_t>(s.to->limit - s.to->cursor) < needed) [[unlikely]] {
      if (!make_room(*s.to)) return false;
    }
    write_packet(s, descriptor(bytes, false), item, bytes);
    ++pushes_;
    return true;
  }

  // The three functions push an item in two steps. Precondition: the PE exists, and the push is
  // legal. `room_for` returns the place of the bytes of the next item over the first step, or
  // nullptr if no buffer has room for them; `push_written` then pushes the written bytes. Nothing
  // else is pushed in between.
  [[nodiscard]] step step_to(std::uint32_t pe) const {
    return tag_bytes_ == 0 ? step{lanes_ + pe, 0, 0} : steps_.to(pe);
  }
  [[gnu::always_inline]] std::byte* room_for(const step& s, std::size_t bytes) {
    if (bytes > largest_in_buffer_) [[unlikely]]
      return nullptr;
    const std::size_t needed = packet_bytes(tag_bytes_, bytes);
    if (static_cast<std::size_t>(s.to->limit - s.to->cursor) < needed) [[unlikely]] {
      if (!make_room(*s.to)) return nullptr;
    }
    return s.to->cursor + tag_bytes_ + sizeof(std::uint32_t);
  }
  void push_written(const step& s, std::size_t bytes) {
    write_head(s, descriptor(bytes, false));
    s.to->cursor += packet_bytes(tag_bytes_, bytes);
    ++pushes_;
  }

  // Returns the next item that has arrived; valid until the next pull or unpull.
  [[gnu::always_inline]] arrived_item pull() {
    if (read_ == read_limit_) [[unlikely]] {
      if (!read_on()) return {nullptr, 0};
    }
    const std::byte* packet = read_;
    const std::uint32_t d = load_word32(packet + tag_bytes_);
    if (is_ticket(d) || delivery_ != nullptr) [[unlikely]]
      return pull_special(d);
    const std::size_t bytes = bytes_of(d);
    last_ = read_;
    read_ += packet_bytes(tag_bytes_, bytes);
    ++pulls_;
    return {packet + tag_bytes_ + sizeof(std::uint32_t), bytes};
  }

  // Gets the size of the item that the next pull takes. The item that was pulled last stays valid,
  // and can be put back; if there is no next item, the call counts as a pull without an item.
  bool peek(std::size_t& bytes);

  // Returns the PE that pushed the item that was pulled last; -1 if the last pull failed.
  [[nodiscard]] int from() const {
    if (tag_bytes_ == 0) return static_cast<int>(origin_.base);
    return last_ == nullptr ? -1 : origin_.of_word(load_word32(last_));
  }

  // Precondition: `alignment` is a power of two.
  const std::byte* aligned(arrived_item item, std::size_t alignment) {
    if (reinterpret_cast<std::uintptr_t>(item.data) % alignment == 0) [[likely]]
      return item.data;
    return aligned_copy(item.data, item.bytes, alignment);
  }
  static constexpr std::size_t max_alignment = 4096;
  // Throws argument_error.
  [[noreturn]] static void refuse_alignment(std::size_t alignment);

  // Collective.
  void begin();
  bool unpull();
  [[nodiscard]] statistics session_statistics() const override;

 private:
  void write_packet(const step& s, std::uint32_t d, const void* item, std::size_t bytes) const {
    std::byte* const packet = s.to->cursor;
    write_head(s, d);
    copy_bytes(packet + tag_bytes_ + sizeof d, static_cast<const std::byte*>(item), bytes);
    s.to->cursor = packet + packet_bytes(tag_bytes_, bytes);
  }
  // Writes all of a packet except the item.
  void write_head(const step& s, std::uint32_t d) const {
    std::byte* const packet = s.to->cursor;
    prefetch_to_write(packet + write_ahead);
    store_word32(packet, s.tag);
    store_word32(packet + tag_bytes_, d);
  }

  // Updates the route after a change: with tuning, items may travel differently from session to
  // session.
  void note_way();
  bool push_monster(const void* item, std::size_t bytes, int pe);
  arrived_item pull_special(std::uint32_t d);
  bool read_on();
  void write_delayed() override;
  void stop_reading() override;

  std::uint32_t tag_bytes_ = 0;
  std::size_t largest_in_buffer_ = 0;  // maximum bytes of an item in a buffer, or the bound on
                                       // items, if less
  std::byte* last_ = nullptr;          // the packet that was pulled last, while unpull is possible
  std::uint64_t pushes_ = 0;
  std::uint64_t pulls_ = 0;
  std::size_t largest_bytes_;
  std::unique_ptr<large_items> monsters_;
  std::unique_ptr<bulk_delivery> delivery_;  // the monster that was pulled last
  std::byte* delivered_by_ = nullptr;        // its ticket
};

}  // namespace boxcar::detail
