// An item stream is the end of a stream of items of one size on one PE.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/detail/write_ahead.hpp>

namespace boxcar::detail {

class item_stream : public stream_core {
 public:
  // Sends an item. T is the type of the items.
  template <typename T>
  [[gnu::always_inline]] void send(const T& item, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to < direct_pes_) [[likely]] {
      track& t = tracks_[to];
      if (t.cursor != t.limit) [[likely]]
        return store<false>(t, to, &item, sizeof(T), to);
    } else if (to >= pes_) [[unlikely]] {
      refuse_send(pe);
    }
    // An item whose address is passed on lies in memory. A small item that the caller has just
    // written there in parts would be read as a whole, for which the processor waits.
    constexpr std::size_t small = 64;
    constexpr bool is_copied = sizeof(T) <= small && std::is_copy_constructible_v<T>;
    std::conditional_t<is_copied, const T, const T&> copy = item;
    if (is_last_stage_only()) return put<false>(to, &copy, sizeof(T), to);
    put<true>(link_to(to), &copy, sizeof(T), to);
  }

  // As `send`, for an item that `write(place)` writes into the buffer.
  template <std::size_t bytes, typename Write>
  [[gnu::always_inline]] void send_written(const Write& write, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to < direct_pes_) [[likely]] {
      track& t = tracks_[to];
      if (t.cursor != t.limit) [[likely]]
        return store_written<false, bytes>(t, to, write, to);
    } else if (to >= pes_) [[unlikely]] {
      refuse_send(pe);
    }
    if (is_last_stage_only()) return put_written<false, bytes>(to, write, to);
    put_written<true, bytes>(link_to(to), write, to);
  }

  // The room for consecutive items to one PE in an open buffer.
  struct open_room {
    std::byte* cursor = nullptr;
    std::byte* limit = nullptr;  // cursor == limit: there is no room
    std::uint32_t link = 0;

    [[nodiscard]] bool has_room() const { return cursor != limit; }
  };
  // Returns the room for items to `pe`; none without a session. The caller writes items from the
  // cursor on, and then calls `fill`; meanwhile nothing else is put into the stream.
  [[nodiscard, gnu::always_inline]] open_room room_to(std::size_t bytes, int pe) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to >= pes_) [[unlikely]]
      return {};
    if (bounded_ && !hold_one_more()) return {};  // may send the open buffer
    const std::uint32_t link = link_to(to);
    const track& t = tracks_[link];
    if (t.cursor == t.limit && !find_room(link, bytes)) {
      if (bounded_) --held_;
      return {};
    }
    return {t.cursor, bounded_ ? t.cursor + bytes : t.limit, link};
  }
  // Adds the items that were written before `cursor`, none or more.
  void fill(const open_room& room, std::byte* cursor, std::size_t bytes, int pe) {
    track& t = tracks_[room.link];
    if (bounded_ && cursor == t.cursor) --held_;
    if (is_inner(room.link)) {
      for (std::byte* item = t.cursor; item != cursor; item += bytes) {
        add_word(t, room.link, static_cast<std::uint32_t>(pe));
      }
    }
    t.cursor = cursor;
  }

  void broadcast(const void* item, std::size_t bytes) {
    if (pes_ == 0) refuse_send(static_cast<int>(me_));
    for (const std::uint16_t link : broadcast_links(route::source)) {
      put<true>(link, item, bytes, to_all);
    }
    if (broadcast_is_for_here(route::source)) put<true>(link_to(me_), item, bytes, me_);
  }

 protected:
  using stream_core::stream_core;

  // Puts an item on a link, or holds the item back. `several_stages` is false only if there is
  // known to be one stage.
  template <bool several_stages>
  [[gnu::always_inline]] void put(std::uint32_t link, const void* item, std::size_t bytes,
                                  std::uint32_t word) {
    if (bounded_) [[unlikely]]
      wait_to_hold_one_more();
    track& t = tracks_[link];
    if (t.cursor == t.limit) [[unlikely]] {
      if (!wait_for_room(link, bytes)) return hold_back(link, item, bytes, word);
    }
    store<several_stages>(t, link, item, bytes, word);
  }
  // As `put`, for an item that `write(place)` writes.
  template <bool several_stages, std::size_t bytes, typename Write>
  [[gnu::always_inline]] void put_written(std::uint32_t link, const Write& write,
                                          std::uint32_t word) {
    track& t = tracks_[link];
    if (bounded_ || t.cursor == t.limit) [[unlikely]] {
      std::array<std::byte, bytes> item;
      write(item.data());
      return put<several_stages>(link, item.data(), bytes, word);
    }
    store_written<several_stages, bytes>(t, link, write, word);
  }

  // As `put`, for forwarded items; returns false if there is no room.
  [[gnu::always_inline]] bool pass_on(std::uint32_t link, const std::byte* item, std::size_t bytes,
                                      std::uint32_t word) {
    if (bounded_) [[unlikely]] {
      if (!hold_one_more()) return false;
    }
    track& t = tracks_[link];
    if (t.cursor == t.limit) [[unlikely]] {
      if (!find_room(link, bytes)) {
        if (bounded_) --held_;
        return false;
      }
    }
    store<true>(t, link, item, bytes, word);
    return true;
  }

  // Adds the word of an item on a link of several stages; see `store`.
  [[gnu::always_inline]] void add_word(track& t, std::uint32_t link, std::uint32_t word) {
    std::memcpy(t.back - sizeof word, &word, sizeof word);
    t.back -= std::size_t{is_inner(link)} * sizeof word;
  }

  // Forwards a broadcast after its arrival over an inner stage; returns false if there was no room
  // for all copies.
  bool pass_on_to_all(const arrived_items& c, std::size_t bytes) {
    const std::vector<std::uint16_t>& links = broadcast_links(c.stage);
    for (std::size_t& put = broadcasts_put(c.stage); put < links.size(); ++put) {
      if (!pass_on(links[put], c.items, bytes, to_all)) return false;
    }
    broadcasts_put(c.stage) = 0;
    count_forwarded(links.size());
    return true;
  }

 private:
  // (In this order, routes of several hops have nothing to ask again in `link_to`.)
  [[nodiscard]] bool is_last_stage_only() const { return links_to_ == nullptr && numbers_are_pes_; }

  // As `store`, for an item that `write(place)` writes.
  template <bool several_stages, std::size_t bytes, typename Write>
  [[gnu::always_inline]] void store_written(track& t, std::uint32_t link, const Write& write,
                                            std::uint32_t word) {
    std::byte* const place = t.cursor;
    prefetch_to_write(place + write_ahead);
    t.cursor = place + bytes;
    if constexpr (several_stages) add_word(t, link, word);
    write(place);
  }
  // Stores an item and its word. The word is written for the last stage as well, behind its
  // buffers, where no PE reads the word: the next stage cannot be predicted, and a store costs less
  // than a mispredicted branch.
  template <bool several_stages>
  [[gnu::always_inline]] void store(track& t, std::uint32_t link, const void* item,
                                    std::size_t bytes, std::uint32_t word) {
    prefetch_to_write(t.cursor + write_ahead);
    std::memcpy(t.cursor, item, bytes);
    t.cursor += bytes;
    if constexpr (several_stages) add_word(t, link, word);
  }
};

// A handler that gets consecutive items, and can leave items for later for want of room for what
// the handler sends: the items stay in their buffer, and the sender has to wait (backpressure).
// Returns the number of handled items. Precondition: the items are not broadcast.
template <typename Handler, typename T>
concept deferring_handler = requires(Handler& handler, const T* first, std::size_t count) {
  { handler.handle_some(first, count) } -> std::same_as<std::size_t>;
};

// An item stream with its handler, inlined into the loop over a buffer.
template <typename T, typename Handler>
class handled_item_stream final : public item_stream {
 public:
  handled_item_stream(const world& w, Handler handler, const stream_options& options)
      : item_stream(w, {.item_bytes = sizeof(T), .type = identity_of<T>}, options),
        handler_(std::move(handler)) {}

 private:
  bool work_off(arrived_items& c) override {
    return work_in_handler(
        [&] { return c.words_end == nullptr ? handle_all(c) : handle_and_pass_on(c); });
  }

  // Handles items to the PE, all unless the handler defers items. Returns the number of handled
  // items.
  std::size_t handle(const std::byte* first, std::size_t count) {
    const T* const items = reinterpret_cast<const T*>(first);
    if constexpr (deferring_handler<Handler, T>) {
      return handler_.handle_some(items, count);
    } else {
      for (const T* item = items; item != items + count; ++item) handler_(*item);
      return count;
    }
  }

  // Handles the items of the last stage: all are for the PE itself.
  bool handle_all(arrived_items& c) {
    const std::size_t handled = handle(c.items, c.left);
    count_handled(handled);
    c.items += handled * sizeof(T);
    c.left -= handled;
    return c.left == 0;
  }

  bool handle_and_pass_on(arrived_items& c) {
    std::size_t handled = 0;
    std::size_t forwarded = 0;
    const auto settle = [&] {
      count_handled(handled);
      count_forwarded(forwarded);
    };
    for (; c.left != 0; --c.left) {
      const std::uint32_t to = c.word();
      if (to == me_) {
        if (handle(c.items, 1) == 0) return settle(), false;
        ++handled;
      } else if (to == to_all) [[unlikely]] {
        if (!pass_on_to_all(c, sizeof(T))) return settle(), false;
        if (broadcast_is_for_here(c.stage)) handled += handle(c.items, 1);
      } else {
        if (!pass_on(link_to(to), c.items, sizeof(T), to)) return settle(), false;
        ++forwarded;
      }
      c.items += sizeof(T);
      c.words_end -= sizeof(std::uint32_t);
    }
    settle();
    return true;
  }

  Handler handler_;
};

}  // namespace boxcar::detail
