// A buffer on each PE that all PEs append to, without telling them beforehand how much or where
// ("One-Sided Append: A New Communication Paradigm for PGAS Models", Dinan and Flajslik, 2014, here
// one-sided-append-2014). docs/one-sided.md explains it with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <boxcar/conveyor.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/detail/append_core.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/error.hpp>
#include <boxcar/item.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// What becomes of a push that finds less room than it needs (one-sided-append-2014, section 2.1).
enum class when_full : std::uint8_t {
  refuse,   // nothing of it is written
  truncate  // as much as there is room for
};

struct append_options {
  when_full full = when_full::refuse;
  // Who finds the place in a buffer of another node. The sender: a request for room, whose reply it
  // waits for, then the data (Listing 1 of the paper); the receiver: one message, if the data fit
  // into one, else as the sender.
  managed_by managed = managed_by::automatic;
  // All PEs reset their buffers as often as one another: a push from the round before, or from the
  // next, is an error. Else it goes where there is room.
  bool in_rounds = false;
  // Pushes go through a conveyor and arrive many at once, until `finish`: for pushes of single
  // elements. Elements are items; how the parts of a span lie is not said. As with a conveyor, all
  // PEs push or finish, and wait for nothing else meanwhile that others do behind their pushes.
  // Not together with `in_rounds`.
  bool aggregate = false;
  conveyor_options conveyor = {};  // of that conveyor
};

// How many elements of an append buffer have been written, and how many have a place.
using append_counts = detail::append_counts;

namespace detail {

// Elements on their way into the buffers of other PEs by a conveyor.
template <typename T>
class aggregated_pushes {
 public:
  aggregated_pushes(const world& w, const conveyor_options& options) : conveyor_(w, options) {
    begin();
  }

  [[gnu::always_inline]] void push(const T& element, int pe, append_core& into) {
    if (!conveyor_access::core(conveyor_).push_item_at_hand(element, pe)) [[unlikely]] {
      push_otherwise(element, pe, into);
    }
  }
  // Collective: all have arrived.
  void complete(append_core& into) {
    while (conveyor_.advance(true)) take(into);
    conveyor_.reset();  // which may throw, as the end of the session here may not
    session_.reset();
  }
  void begin() {
    conveyor_core& core = conveyor_access::core(conveyor_);
    core.begin(sizeof(T));
    session_.emplace(core, stays_in_place{});
  }
  [[nodiscard]] bool is_on() const { return session_.has_value(); }

 private:
  [[gnu::noinline]] void push_otherwise(conveyor_core::passed<T> element, int pe,
                                        append_core& into) {
    while (!conveyor_.push(element, pe)) {
      conveyor_.advance(false);
      take(into);
    }
  }
  void take(append_core& into) {
    const std::size_t before = into.reserved();
    T* const first = reinterpret_cast<T*>(into.data()) + before;
    T* const end = reinterpret_cast<T*>(into.data()) + into.capacity_here();
    T* next = first;
    std::size_t refused = 0;
    conveyor_.pull_all([&next, &refused, end](const T& element) {
      if (next == end) [[unlikely]] {
        ++refused;
      } else {
        *next++ = element;
      }
    });
    into.note_written(static_cast<std::size_t>(next - first), refused);
  }

  conveyor<T> conveyor_;
  std::optional<session> session_;
};

}  // namespace detail

// One PE's handle of an append buffer of each PE, for elements of type T.
//
// The elements of one push lie one behind the other. Pushes of different PEs lie in any order,
// those of one PE in the order of their calls if the receiver manages them all. What is behind the
// end of a buffer is never written.
//
// It can be moved; what it was moved from is good for nothing. To destroy it is local, as with
// windows; if it aggregates, collective, and what was pushed before arrives. Operations throw
// argument_error, and write nothing, if there is no such PE; world_error if the world has failed.
template <typename T>
class append_buffer {
  static_assert((detail::require_plain<T>(), true));
  static_assert(alignof(T) <= 64, "elements lie on boundaries of at most 64 bytes");

 public:
  using value_type = T;

  // Collective. This PE's buffer has room for so many elements, which may be different on each PE.
  // Throws argument_error on all PEs unless all give the same type and options, system_error if
  // there is not enough memory.
  append_buffer(const world& w, std::size_t capacity, const append_options& options = {})
      : append_buffer(w, detail::object_memory{.elements = capacity}, options) {}
  // Collective. The buffer is the program's own memory, which outlives the buffers of all PEs;
  // where that is possible: see window.hpp.
  append_buffer(const world& w, std::span<T> mine, const append_options& options = {})
      : append_buffer(w, {mine.data(), mine.size(), true}, options) {}
  append_buffer(append_buffer&& other) noexcept
      : core_(std::move(other.core_)), aggregated_(std::move(other.aggregated_)) {}
  append_buffer& operator=(append_buffer&& other) {
    if (this == &other) return *this;
    end_session();
    core_ = std::move(other.core_);
    aggregated_ = std::move(other.aggregated_);
    return *this;
  }
  ~append_buffer() noexcept(false) {
    if (std::uncaught_exceptions() == exceptions_) end_session();
  }

  // --- Pushing; local ----------------------------------------------------------------------------
  // Returns how many of the elements have found room, when they may be overwritten here: all; or
  // none, if the buffer refuses what does not fit; or as many as fit. (If it aggregates, all: what
  // finds no room is known where it arrives, as `refused`.) Throws argument_error if they could
  // never fit into a buffer that refuses, contract_error if `in_rounds` is broken.
  std::size_t push(std::span<const T> elements, int pe) {
    if constexpr (item<T>) {
      if (aggregated_ != nullptr) {
        for (const T& element : elements) aggregated_->push(element, pe, core_);
        return elements.size();
      }
    }
    return core_.push(elements.data(), elements.size(), pe);
  }
  [[gnu::always_inline]] std::size_t push(const T& element, int pe) {
    if constexpr (item<T>) {
      if (aggregated_ != nullptr) [[likely]] {
        aggregated_->push(element, pe, core_);
        return 1;
      }
    }
    return core_.push(&element, 1, pe);
  }
  // The same without waiting for an answer: what found no room is known there, as `refused`, and
  // not here. (Where the sender has to ask for room first, it does wait for that.)
  void push_nbi(std::span<const T> elements, int pe) {
    if (aggregated_ != nullptr) {
      push(elements, pe);
    } else {
      core_.push_nbi(elements.data(), elements.size(), pe);
    }
  }
  // Returns when everything that this PE has pushed is there: to one PE, or to all. What is
  // aggregated waits for `finish`.
  void flush(int pe) { core_.flush(pe); }
  void flush() { core_.flush_all(); }
  // Collective. Returns when everything that all PEs have pushed is there.
  void finish() {
    if (aggregated_ == nullptr) return core_.finish();
    aggregated_->complete(core_);
    aggregated_->begin();
  }

  // --- This PE's buffer; local -------------------------------------------------------------------
  // What can be read: all that is there up to the last moment at which no push was under way.
  [[nodiscard]] std::span<T> arrived() const {
    return {reinterpret_cast<T*>(core_.data()), core_.readable()};
  }
  // Since the last reset: elements for which there is a place, and those that have been written
  // (section 2.1 of the paper). Pushes go on between two calls, so that what `reserved` returns and
  // what `completed` returns later must not be compared: `counts` returns both. If these are equal,
  // no push was under way, and all the elements before them can be read.
  [[nodiscard]] append_counts counts() const { return core_.counts(); }
  [[nodiscard]] std::size_t reserved() const { return core_.reserved(); }
  [[nodiscard]] std::size_t completed() const { return core_.completed(); }
  // Since the last reset: pushes that have found room, of each element if it aggregates; elements
  // that have not.
  [[nodiscard]] std::size_t messages() const { return core_.messages(); }
  [[nodiscard]] std::size_t refused() const { return core_.refused(); }
  [[nodiscard]] std::size_t capacity() const { return core_.capacity_here(); }
  // Of any PE; one of another node is asked.
  [[nodiscard]] std::size_t capacity(int pe) const { return core_.capacity(pe); }

  // Returns when so many elements can be read, or those of so many pushes. Serves others
  // meanwhile. Throws argument_error for more elements than the buffer has; contract_error if it
  // aggregates and they are not there: `finish` brings them.
  void wait(std::size_t elements) { core_.wait(elements); }
  void wait_messages(std::size_t count) { core_.wait_messages(count); }

  // Empties this PE's buffer: what comes from now on goes to its beginning. Throws contract_error
  // if a push is under way.
  void reset() { core_.reset(); }

 private:
  static constexpr detail::append_element what{sizeof(T), alignof(T), detail::identity_of<T>};

  append_buffer(const world& w, const detail::object_memory& mine, const append_options& options)
      : core_(w, what, mine, options) {
    if (!options.aggregate) return;
    if constexpr (item<T>) {
      aggregated_ = std::make_unique<detail::aggregated_pushes<T>>(w, options.conveyor);
    } else {
      throw argument_error(
          "an append buffer aggregates items of up to 65536 bytes: leave `aggregate` out");
    }
  }

  void end_session() {
    if (aggregated_ != nullptr && aggregated_->is_on()) aggregated_->complete(core_);
  }

  detail::append_core core_;
  std::unique_ptr<detail::aggregated_pushes<T>> aggregated_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace boxcar
