// A dispatch stream is an item stream of messages of several kinds: each kind has a size and a
// handler of its own. The messages of all kinds share the buffers of the PE and keep their order.
//
// All messages occupy the same number of bytes, the stride. The number of the kind is the last byte
// of the stride, unless there is only one kind. A handler gets runs of messages: consecutive
// messages of one kind. So the loop over a run can be compiled with the handler inlined, and can
// prefetch the memory of later messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <boxcar/detail/item_stream.hpp>

namespace boxcar::detail {

// A run of messages of one kind.
struct message_run {
  const std::byte* first;  // aligned as the kinds require
  std::size_t count;
  std::size_t stride;  // bytes from a message to the next message

  // Returns a message of the run. M is the type of the messages of the kind.
  template <typename M>
  [[nodiscard]] const M& message(std::size_t i) const {
    return *reinterpret_cast<const M*>(first + i * stride);
  }
};

// The number of a kind of messages, together with the number of the owner of the stream: numbers of
// one owner are refused by the stream of another.
class owned_kind {
 public:
  constexpr owned_kind() = default;  // of no owner
  // Precondition: owner < 2^56.
  constexpr owned_kind(std::uint64_t owner, std::uint8_t kind) : word_(owner << 8 | kind) {}

  [[nodiscard]] constexpr std::uint64_t owner() const { return word_ >> 8; }
  [[nodiscard]] constexpr std::uint8_t kind() const { return static_cast<std::uint8_t>(word_); }
  bool operator==(const owned_kind&) const = default;

 private:
  std::uint64_t word_ = 0;
};

struct message_kind {
  std::size_t bytes;
  std::size_t alignment;
  void* receiver;  // the first argument of `handle`
  void (*handle)(void* receiver, const message_run& run);
  type_identity type;  // compared between PEs
};

// Returns the kind of messages of type M that `handle(message)` handles.
// Precondition: `handle` outlives the stream.
template <typename M, typename Handle>
[[nodiscard]] message_kind kind_of(Handle& handle) {
  return {.bytes = sizeof(M),
          .alignment = alignof(M),
          .receiver = &handle,
          .handle =
              [](void* receiver, const message_run& run) {
                Handle& h = *static_cast<Handle*>(receiver);
                for (std::size_t i = 0; i != run.count; ++i) h(run.message<M>(i));
              },
          .type = identity_of<M>};
}

class dispatch_stream final : public item_stream {
 public:
  // Collective. Precondition: 1 to 256 kinds, the same on all PEs.
  dispatch_stream(const world& w, std::vector<message_kind> kinds, const stream_options& options);

  // Sends a message, as item_stream::send. Precondition: M is the type of the kind's messages.
  template <typename M>
  [[gnu::always_inline]] void send(std::uint8_t kind, const M& message, int pe) {
    if (!try_send(kind, message, pe)) [[unlikely]] {
      const M copy = message;  // `message` can stay in registers
      send_slowly(kind, &copy, sizeof copy, pe);
    }
  }
  // Sends a message, or returns false if the open buffer is full: then `send` may have to wait, and
  // the handlers may be called meanwhile. Throws as `send`.
  template <typename M>
  [[nodiscard, gnu::always_inline]] bool try_send(std::uint8_t kind, const M& message, int pe) {
    return try_write<sizeof(M)>(
        kind, pe, [&message](std::byte* place) { std::memcpy(place, &message, sizeof message); });
  }
  // As `try_send`, for a message of `bytes` bytes that `write(place)` writes. Kind is std::uint8_t
  // or owned_kind. Returns false also if an owned_kind is of another owner.
  template <std::size_t bytes, typename Kind, typename Write>
  [[nodiscard, gnu::always_inline]] bool try_write(Kind kind, int pe, const Write& write) {
    const auto to = static_cast<std::uint32_t>(pe);
    if (to < direct_pes_) [[likely]]
      return put_in_place<bytes>(tracks_[to], kind, write);
    if (to >= pes_) [[unlikely]]
      refuse_send(pe);
    if (bounded_) [[unlikely]]
      return false;
    const std::uint32_t link = link_to(to);
    track& t = tracks_[link];
    if (!put_in_place<bytes>(t, kind, write)) [[unlikely]]
      return false;
    add_word(t, link, to);
    return true;
  }
  // Sets the owner of the owned_kinds that the stream takes; before that the stream takes none.
  void set_owner(std::uint64_t owner) {
    (has_numbers_ ? first_of_many_ : only_kind_) = owned_kind(owner, 0);
  }
  // Waits for room for a message to a PE, unless called from a handler. Handlers may be called.
  void await_room(int pe);

  // Sends a message to every PE, the PE itself included.
  template <typename M>
  void broadcast(std::uint8_t kind, const M& message) {
    item_stream::broadcast(compose(kind, &message, sizeof message).data(), stride_);
  }

  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  struct layout {
    std::size_t stride;
    type_identity type;
  };
  static layout layout_of(const std::vector<message_kind>& kinds);
  dispatch_stream(const world& w, const layout& l, std::vector<message_kind>&& kinds,
                  const stream_options& options);

  template <std::size_t bytes, typename Write>
  [[nodiscard, gnu::always_inline]] bool put_in_place(track& t, std::uint8_t kind,
                                                      const Write& write) {
    std::byte* const place = t.cursor;
    if (place == t.limit) [[unlikely]]
      return false;
    prefetch_to_write(place + write_ahead);
    write(place);
    // The number may lie in the padding of the message, which the message overwrites.
    if (!has_numbers_) [[likely]] {
      t.cursor = place + bytes;
    } else {
      const std::size_t stride = stride_;
      place[stride - 1] = std::byte{kind};
      t.cursor = place + stride;
    }
    return true;
  }
  // As above. With one kind a single comparison finds out that messages have no numbers and that
  // the number is of the owner. Precondition: the messages of all kinds have no padding.
  template <std::size_t bytes, typename Write>
  [[nodiscard, gnu::always_inline]] bool put_in_place(track& t, owned_kind kind,
                                                      const Write& write) {
    std::byte* const place = t.cursor;
    if (place == t.limit) [[unlikely]]
      return false;
    prefetch_to_write(place + write_ahead);
    std::byte* next = place + bytes;
    if (kind != only_kind_) [[unlikely]] {
      if (kind.owner() != first_of_many_.owner()) [[unlikely]]
        return false;
      next = place + stride_;
      next[-1] = std::byte{kind.kind()};
    }
    write(place);
    t.cursor = next;
    return true;
  }
  // Returns the bytes of a message with the number of its kind.
  [[nodiscard]] std::vector<std::byte> compose(std::uint8_t kind, const void* message,
                                               std::size_t bytes) const;
  void send_slowly(std::uint8_t kind, const void* message, std::size_t bytes, int pe);

  bool work_off(arrived_items& c) override;
  // Calls the handlers for `count` consecutive messages to the PE.
  void handle(const std::byte* first, std::size_t count);
  bool handle_and_pass_on(arrived_items& c);

  std::vector<message_kind> kinds_;
  std::size_t stride_;
  bool has_numbers_;
  static constexpr owned_kind no_kind_{~std::uint64_t{0}, 0xff};
  owned_kind only_kind_ = no_kind_;      // if there is one kind and an owner
  owned_kind first_of_many_ = no_kind_;  // if there are several kinds and an owner
};

}  // namespace boxcar::detail
