// An array stream is the untyped end of a stream of arrays on one PE. An array lies in a buffer as
// a whole. An array larger than a buffer stays with the sender (rendezvous), in memory from which
// the receiver fetches the array, and a ticket travels in place of the array: so the array keeps
// the place in the order, and is copied once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

class large_items;

class array_stream : public stream_core {
 public:
  array_stream(const world& w, const stream_item_format& element, const stream_options& options);
  ~array_stream() override;

  [[gnu::always_inline]] void send(std::span<const std::byte> array, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= pes_) [[unlikely]]
      refuse_send(pe);
    if (numbers_are_pes_) [[likely]] {
      send_over<false>(to, array, pe);
    } else {
      send_over<true>(link_to(to), array, pe);
    }
  }
  void broadcast(std::span<const std::byte> array);

 protected:
  virtual void handle(std::span<const std::byte> array) = 0;

  // Delivers arrays that arrived in a buffer, or forwards them. Returns false if there was no room.
  bool work_off_each(arrived_items& a);
  // Handles an array that has arrived at the PE, or fetches the array of a ticket first.
  void deliver(std::span<const std::byte> payload, bool is_ticket);

  // The word of an array: the number of bytes, and whether the bytes are a ticket.
  static constexpr std::uint32_t size_word_of(std::size_t bytes, bool is_ticket) {
    return static_cast<std::uint32_t>(bytes) << 1 | (is_ticket ? 1U : 0U);
  }
  static constexpr std::size_t bytes_of(std::uint32_t size_word) { return size_word >> 1; }
  static constexpr bool is_ticket(std::uint32_t size_word) { return (size_word & 1) != 0; }

 private:
  bool ready_to_end() final;
  void buffers_changed() final;
  bool put_up(std::vector<std::byte>& array, std::uint32_t to, std::uint32_t& size_word) final;

  // Returns true if the open buffer of the link has room for an array, and no earlier array waits
  // outside of the buffer.
  [[nodiscard]] bool has_room(std::uint32_t link, std::size_t bytes) const {
    constexpr std::size_t max_word_bytes = 2 * sizeof(std::uint32_t);
    const track& t = tracks_[link];
    const bool only_slowly = bounded_ | holds_back_;
    return bytes + max_word_bytes <= static_cast<std::size_t>(t.back - t.cursor) && !only_slowly;
  }
  // Sends an array, over a link. `several_stages` is false only if there is known to be one stage.
  template <bool several_stages>
  [[gnu::always_inline]] void send_over(std::uint32_t link, std::span<const std::byte> array,
                                        int pe) {
    if (!has_room(link, array.size())) [[unlikely]]
      return send_slowly(link, array, pe);
    store<several_stages>(link, array, static_cast<std::uint32_t>(pe),
                          size_word_of(array.size(), false));
  }
  // Stores an array and its words: on inner stages the destination, then the size. The arrays grow
  // from the front of the buffer and the words from the back, so the lines that will be written at
  // both ends are fetched from the core that has read them: without the words' lines, 2 PEs send
  // less than half as many arrays of 8 bytes a second.
  template <bool several_stages>
  [[gnu::always_inline]] void store(std::uint32_t link, std::span<const std::byte> payload,
                                    std::uint32_t destination, std::uint32_t size_word) {
    track& t = tracks_[link];
    std::byte* const place = t.cursor;
    prefetch_to_write(place + write_ahead);
    std::byte* back = t.back - sizeof size_word;
    prefetch_to_write(back - write_ahead);
    if constexpr (several_stages) {
      if (is_inner(link)) {
        std::memcpy(back, &destination, sizeof destination);
        back -= sizeof size_word;
      }
    }
    t.cursor = place + payload.size();
    t.back = back;
    std::memcpy(back, &size_word, sizeof size_word);
    if (!payload.empty()) std::memcpy(place, payload.data(), payload.size());
  }
  void send_slowly(std::uint32_t link, std::span<const std::byte> array, int pe);
  void send_large(std::span<const std::byte> array, int pe);
  // Returns the packet that travels in the place of a large array; nothing if there is no room for
  // the array now.
  std::optional<std::vector<std::byte>> ticket_for(std::span<const std::byte> array,
                                                   std::uint32_t to);
  void put(std::uint32_t link, std::span<const std::byte> payload, std::uint32_t word,
           std::uint32_t size_word);
  bool pass_on(std::uint32_t link, std::span<const std::byte> payload, std::uint32_t word,
               std::uint32_t size_word);
  bool pass_on_to_all(int stage, std::span<const std::byte> payload, std::uint32_t size_word);
  // Returns false if there was no room.
  bool work_off_one(arrived_items& a);

  std::size_t alignment_;
  std::size_t largest_in_buffer_ = 0;
  // Arrays may be held back, although their link has room.
  bool holds_back_ = false;
  std::unique_ptr<large_items> large_;
  std::vector<std::byte> aligned_;  // a copy of an array that lies at an address without the
                                    // alignment
};

template <typename T, typename Handler>
class handled_array_stream final : public array_stream {
 public:
  handled_array_stream(const world& w, Handler handler, const stream_options& options)
      : array_stream(w,
                     {.item_bytes = sizeof(T),
                      .arrays = true,
                      .alignment = alignof(T),
                      .type = identity_of<T>},
                     options),
        handler_(std::move(handler)) {}

 private:
  bool work_off(arrived_items& a) override {
    return work_in_handler([&] {
      if (comes_with_destinations(a.stage)) return work_off_each(a);
      handle_all(a);
      return true;
    });
  }

  // Handles arrays of the last stage: all are for the PE itself.
  void handle_all(arrived_items& a) {
    const std::byte* payload = a.items;
    const std::byte* word = a.words_end;
    for (std::size_t left = a.left; left != 0; --left) {
      std::uint32_t size_word;
      word -= sizeof size_word;
      std::memcpy(&size_word, word, sizeof size_word);
      const std::span<const std::byte> array(payload, bytes_of(size_word));
      if (is_ticket(size_word)) [[unlikely]] {
        deliver(array, true);
      } else {
        handled_array_stream::handle(array);
      }
      payload += array.size();
    }
    count_handled(a.left);
    a.left = 0;
  }

  void handle(std::span<const std::byte> array) override {
    handler_(
        std::span<const T>(reinterpret_cast<const T*>(array.data()), array.size() / sizeof(T)));
  }

  Handler handler_;
};

}  // namespace boxcar::detail
