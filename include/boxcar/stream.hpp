// Streams: items are sent to PEs, and a handler is called there for each of them. What
// tram-thesis-2014 does for objects of Charm++, for any parallel program: items gather in buffers
// on the way, over any route. docs/streams.md explains them with examples.
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

// One PE's end of a stream of items of type T. It belongs to one thread.
//
// The handler is called for every item that arrives at this PE, in the order in which a PE has sent
// them, from within `send`, `broadcast`, `poll` and `finish` of any stream of this PE and every
// other function of Boxcar that waits, and never while a handler is running. It is given the item
// where it lies in the buffer: the reference is good until the handler returns. It may send, over
// this stream and others.
//
// If a handler throws, the exception leaves the function that called it, and the world has failed:
// every other PE gets a world_error that says so. Any function throws world_error if another PE has
// failed, and contract_error, changing nothing, if it is not legal now (see each).
template <typename T>
class stream {
  static_assert(detail::requires_item<T>);
  static_assert(alignof(T) <= 64, "items are aligned to cache lines at most");

 public:
  using value_type = T;

  // Collective. Throws argument_error on all PEs if the options cannot work or are not the same
  // everywhere, system_error if there is not enough memory.
  template <typename Handler>
  stream(const world& w, Handler handler, const stream_options& options = {}) {
    constexpr bool can_handle = std::invocable<Handler&, const T&>;
    static_assert(can_handle, "the handler of a stream must be callable as handler(item)");
    if constexpr (can_handle) {
      core_ =
          std::make_unique<detail::handled_item_stream<T, Handler>>(w, std::move(handler), options);
    }
  }

  // A stream that is moved takes its session along, and the one it was is good for nothing. To
  // assign over one in the middle of a session throws contract_error, and the world fails.
  stream(stream&&) noexcept = default;
  stream& operator=(stream&& other) {
    detail::replace_stream(core_, other.core_);
    return *this;
  }

  // Collective; legal without a session, not in a handler. Until the end of the session items may
  // be sent. What it returns is its scope: leaving that before the session has ended is an error,
  // by which the world fails.
  session begin(const termination& ending = quiescence()) {
    core().begin(ending);
    return session(core());
  }

  // Local. Legal in a session, also in a handler. May wait for a free buffer, and then calls the
  // handlers of this PE's streams for what arrives meanwhile; in a handler it does not wait: what
  // finds no buffer is kept. Throws argument_error if there is no such PE.
  void send(const T& item, int pe) { core_->send(&item, sizeof(T), pe); }

  // As `send`, to every PE, this one included, along the route: each PE passes on a part.
  void broadcast(const T& item) { core().broadcast(&item, sizeof(T)); }

  // Local. Legal in a session, also in a handler. Sends all buffers of this PE, full or not.
  void flush() { core().flush(); }

  // Local, never blocks for longer than a few milliseconds. Legal once a session has begun, not in
  // a handler. Works off what has arrived. False if the session has ended.
  bool poll() { return core().poll(); }

  // Local. Legal in a session that ends by counting or in stages, also in a handler: so many
  // producers have sent all that they will.
  void done(std::int64_t producers = 1) { core().done(producers); }

  // Collective. Legal once a session has begun, not in a handler; if it ends in stages, after all
  // producers of this PE have called `done`. Works off what arrives until the session has ended.
  // Throws contract_error on all PEs if the producers that were counted were not as many as
  // declared.
  void finish() { core().finish(); }

  // Whether there is a session.
  [[nodiscard]] bool on() const { return core().on(); }

  [[nodiscard]] stream_statistics session_statistics() const { return core().session_statistics(); }
  // How items travel, and why; some lines of text.
  [[nodiscard]] std::string explain() const { return core().explain(); }

 private:
  [[nodiscard]] detail::item_stream& core() const { return detail::core_of(core_); }

  std::unique_ptr<detail::item_stream> core_;  // null: moved from
};

// A stream of arrays of T: what is sent has any number of elements, none or millions, and is
// delivered whole. The handler is given the array where it lies, as a span. All else as above.
//
// An array that fits in a buffer travels in it over the route. A larger one waits at its sender
// until the receiver fetches it; it keeps its place in the order.
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

  // As `send` and `broadcast` above. A broadcast of an array larger than a buffer is fetched from
  // here by every PE.
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

  std::unique_ptr<detail::array_stream> core_;
};

}  // namespace boxcar
