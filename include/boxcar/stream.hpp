// A stream sends items to PEs, and calls a handler on the destination for each item: the service of
// tram-thesis-2014 for objects of Charm++, for any parallel program. Items are aggregated in
// buffers on the way, over any route. docs/streams.md explains streams with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <boxcar/detail/array_stream.hpp>
#include <boxcar/detail/item_stream.hpp>
#include <boxcar/detail/item_stream_owner.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/item.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/stream_statistics.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

template <typename Core>
Core& core_of(const std::unique_ptr<Core>& core) {
  if (core == nullptr) refuse_moved_stream();
  return *core;
}

template <typename Core>
void replace_stream(std::unique_ptr<Core>& core, std::unique_ptr<Core>& by) {
  if (core == by) return;
  if (core != nullptr) core->require_replaceable();
  core = std::move(by);
}

}  // namespace detail

// The end of a stream of items of type T on one PE. Thread safety: a stream belongs to one thread.
//
// The handler is called for every item that arrives at the PE; items of one sender arrive in the
// order of their sends. (Between sends and broadcasts there is no order.) Handlers are called from
// within `send`, `broadcast`, `poll` and `finish` of any stream of the PE and every other function
// of Boxcar that waits, and never while a handler is running. The handler gets the item in place in
// the buffer: the reference is valid until the handler returns. The handler may send, over the same
// stream and other streams.
//
// If a handler throws, the exception leaves the function that called the handler, and the world has
// failed: every other PE gets a world_error with the reason. Every function throws world_error if
// another PE has failed, and contract_error, changing nothing, if the function is not legal now
// (see each function).
template <typename T>
class stream {
  static_assert(detail::requires_item<T>);
  static_assert(alignof(T) <= 64, "items are aligned to cache lines at most");

 public:
  using value_type = T;

  // Collective. Throws argument_error on all PEs if the options cannot work or differ between PEs,
  // system_error if there is not enough memory.
  template <typename Handler>
  stream(const world& w, Handler handler, const stream_options& options = {}) {
    constexpr bool can_handle = std::invocable<Handler&, const T&>;
    static_assert(can_handle, "the handler of a stream must be callable as handler(item)");
    if constexpr (can_handle) {
      core_.own(std::make_unique<detail::handled_item_stream<T, Handler>>(w, std::move(handler),
                                                                          options));
    }
  }

  // Movable, also during a session (the session moves with the stream); a moved-from stream may
  // only be destroyed or assigned to, and every other function throws contract_error. Assigning to
  // a stream in the middle of a session throws contract_error, and the world fails.
  stream(stream&&) noexcept = default;
  stream& operator=(stream&& other) = default;

  // Collective. Legal without a session, not in a handler. Starts a session and returns the scope
  // of the session; items may be sent until the end of the session. Leaving the scope before the
  // session has ended is an error, and the world fails.
  session begin(const termination& ending = quiescence()) {
    core().begin(ending);
    return session(core());
  }

  // Local. Legal in a session, also in a handler. Sends the item to `pe`. May wait for a free
  // buffer; meanwhile the handlers of the PE's streams are called for arrived items. In a handler
  // `send` does not wait: items without a free buffer are kept. Throws argument_error if the PE
  // does not exist.
  void send(const T& item, int pe) { core_.for_sends().send(item, pe); }

  // As `send`, to every PE, the PE itself included, along the route: each PE forwards a part.
  void broadcast(const T& item) { core().broadcast(&item, sizeof(T)); }

  // Local. Legal in a session, also in a handler. Sends all buffers of the PE, full or not.
  void flush() { core().flush(); }

  // Local, never blocks for longer than a few milliseconds. Legal from `begin` until `finish` has
  // returned, not in a handler. Handles arrived items. Returns false if the session has ended
  // everywhere, as `poll` or a wait has found: then call `finish`. Where others wait for items of
  // the PE in loops of `poll`, part-filled buffers need stream_options::flush_after, or `flush`.
  bool poll() { return core().poll(); }

  // Local. Legal in a session that ends by counting or in stages, also in a handler. Declares that
  // `producers` producers have sent all of their items.
  void done(std::int64_t producers = 1) { core().done(producers); }

  // Collective. Legal once a session has begun, not in a handler; if the session ends in stages,
  // after all producers of the PE have called `done`. Handles arriving items until the session has
  // ended. Throws contract_error on all PEs if the number of counted producers differs from the
  // declared number.
  void finish() { core().finish(); }

  // Returns whether there is a session.
  [[nodiscard]] bool on() const { return core().on(); }

  [[nodiscard]] stream_statistics session_statistics() const { return core().session_statistics(); }
  // Returns some lines of text: how items travel, and the reasons.
  [[nodiscard]] std::string explain() const { return core().explain(); }

 private:
  [[nodiscard]] detail::item_stream& core() const { return core_.core(); }

  detail::item_stream_owner core_;
};

// A stream of arrays of T: an array has any number of elements, none or millions, and is delivered
// whole. The handler gets the array in place, as a span. Everything else is as for streams of
// items.
//
// An array that fits in a buffer travels in a buffer over the route. A larger array waits at its
// sender until the receiver fetches the array (rendezvous), and keeps its place in the order.
template <typename T>
class stream<T[]> {
  static_assert(detail::requires_item<T>);
  static_assert(alignof(T) <= 64, "elements are aligned to cache lines at most");

 public:
  using value_type = T;

  // Collective.
  template <typename Handler>
  stream(const world& w, Handler handler, const stream_options& options = {}) {
    constexpr bool can_handle = std::invocable<Handler&, std::span<const T>>;
    static_assert(can_handle,
                  "the handler of a stream of arrays must be callable with a std::span<const T>");
    if constexpr (can_handle) {
      core_ = std::make_unique<detail::handled_array_stream<T, Handler>>(w, std::move(handler),
                                                                         options);
    }
  }

  stream(stream&&) noexcept = default;
  stream& operator=(stream&& other) {
    detail::replace_stream(core_, other.core_);
    return *this;
  }

  session begin(const termination& ending = quiescence()) {
    core().begin(ending);
    return session(core());
  }

  // As `send` and `broadcast` of streams of items. After a broadcast of an array larger than a
  // buffer, every PE fetches the array from the sender.
  void send_array(std::span<const T> array, int pe) { core().send(std::as_bytes(array), pe); }
  void broadcast_array(std::span<const T> array) { core().broadcast(std::as_bytes(array)); }

  void flush() { core().flush(); }
  bool poll() { return core().poll(); }
  void done(std::int64_t producers = 1) { core().done(producers); }
  void finish() { core().finish(); }
  [[nodiscard]] bool on() const { return core().on(); }
  [[nodiscard]] stream_statistics session_statistics() const { return core().session_statistics(); }
  [[nodiscard]] std::string explain() const { return core().explain(); }

 private:
  [[nodiscard]] detail::array_stream& core() const { return detail::core_of(core_); }

  std::unique_ptr<detail::array_stream> core_;  // null: moved from
};

}  // namespace boxcar
