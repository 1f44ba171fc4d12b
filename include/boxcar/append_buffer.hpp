// An append buffer is a buffer on each PE to which all PEs append, without saying beforehand how
// much or where ("One-Sided Append: A New Communication Paradigm for PGAS Models", Dinan and
// Flajslik, 2014, here one-sided-append-2014). docs/one-sided.md explains append buffers with
// examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <exception>
#include <memory>
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

// The effect of a push that finds less room than needed (one-sided-append-2014, section 2.1).
enum class when_full : std::uint8_t {
  refuse,   // no element is written
  truncate  // as many elements as there is room for
};

struct append_options {
  when_full full = when_full::refuse;
  // The PE that finds the offset in a buffer of another node. The sender: sends a request for room,
  // waits for the reply, then sends the data (Listing 1 of the paper). The receiver: one message,
  // if the data fit into one message, otherwise as the sender.
  managed_by managed = managed_by::automatic;
  // All PEs reset their buffers equally often: a push from the previous round, or from the next
  // round, is an error. If false, a push of any round goes where there is room.
  bool in_rounds = false;
  // Pushes go through a conveyor, and many arrive at once, until `finish`: for pushes of single
  // elements. Elements are items; the elements of a span may lie in any places. As with a conveyor,
  // all PEs push or finish, and meanwhile wait for nothing else that depends on other PEs' work
  // behind their pushes. Not together with `in_rounds`.
  bool aggregate = false;
  conveyor_options conveyor = {};  // of the conveyor of `aggregate`
};

// The number of elements of an append buffer that have been written, and the number that have a
// place.
using append_counts = detail::append_counts;

namespace detail {

// The pushes of elements that travel to the buffers of other PEs through a conveyor.
template <typename T>
class aggregated_pushes {
 public:
  aggregated_pushes(const world& w, const conveyor_options& options) : conveyor_(w, options) {
    begin();
  }
  aggregated_pushes(const aggregated_pushes&) = delete;
  aggregated_pushes& operator=(const aggregated_pushes&) = delete;
  ~aggregated_pushes() {
    if (is_on_) conveyor_access::core(conveyor_).leave(true);
  }

  [[gnu::always_inline]] void push(const T& element, int pe, append_core& into) {
    if (!conveyor_access::core(conveyor_).push_item_at_hand(element, pe)) [[unlikely]] {
      push_otherwise(element, pe, into);
    }
  }
  // Collective. Returns when all elements have arrived.
  void complete(append_core& into) {
    while (conveyor_.advance(true)) take(into);
    conveyor_.reset();
    is_on_ = false;
  }
  void begin() {
    conveyor_access::core(conveyor_).begin(sizeof(T));
    is_on_ = true;
  }
  [[nodiscard]] bool is_on() const { return is_on_; }

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
  bool is_on_ = false;  // a session of the conveyor
};

}  // namespace detail

// The handle of an append buffer on one PE. Each PE has a buffer for elements of type T.
//
// The elements of one push lie one behind the other. Pushes of different PEs lie in any order;
// pushes of one PE lie in the order of their calls if the receiver manages all of them. Memory
// behind the end of a buffer is never written.
//
// Movable; a moved-from append buffer may only be destroyed or assigned to. Destruction is local,
// as with windows; with `aggregate`, destruction is collective, and earlier pushes arrive, unless
// the world has failed, or the PE has left the world: then destruction does nothing.
// Operations throw argument_error, and write nothing, if the PE does not exist; world_error if the
// world has failed.
template <typename T>
class append_buffer {
  static_assert((detail::require_plain<T>(), true));
  static_assert(alignof(T) <= 64, "elements lie on boundaries of at most 64 bytes");

 public:
  using value_type = T;

  // Collective. The PE's buffer has room for `capacity` elements; the capacities of PEs may differ.
  // Throws argument_error on all PEs unless all PEs give the same type and options, system_error if
  // there is not enough memory.
  append_buffer(const world& w, std::size_t capacity, const append_options& options = {})
      : append_buffer(w, detail::object_memory{.elements = capacity}, options) {}
  // Collective. The buffer is the program's own memory, and outlives the buffers of all PEs;
  // window.hpp lists where memory of the program is possible.
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
    if (std::uncaught_exceptions() != exceptions_) return;
    try {
      end_session();
    } catch (const world_error&) {
      // Every later collective of the PE throws world_error, too.
    }
  }

  // --- Pushing; local ----------------------------------------------------------------------------
  // Returns the number of elements that have found room, when the given elements may be
  // overwritten: all; or none, if the buffer refuses and the elements do not fit; or as many as
  // fit. (With `aggregate`, all: elements without room are counted on the target, as `refused`.)
  // Throws argument_error if the elements could never fit into a buffer that refuses,
  // contract_error if `in_rounds` is broken.
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
  // Non-blocking push: does not wait for a reply. Elements without room are counted on the target,
  // as `refused`, and not reported here. (Where the sender has to request room first, the push
  // waits for the room.)
  void push_nbi(std::span<const T> elements, int pe) {
    if (aggregated_ != nullptr) {
      push(elements, pe);
    } else {
      core_.push_nbi(elements.data(), elements.size(), pe);
    }
  }
  // Returns when all pushes of the PE have arrived: at one PE, or at all PEs. Aggregated pushes
  // wait for `finish`.
  void flush(int pe) { core_.flush(pe); }
  void flush() { core_.flush_all(); }
  // Collective. Returns when all pushes of all PEs have arrived.
  void finish() {
    if (aggregated_ == nullptr) return core_.finish();
    aggregated_->complete(core_);
    aggregated_->begin();
  }

  // --- The PE's own buffer; local ----------------------------------------------------------------
  // Returns the readable elements: everything that had arrived at the last moment without a push in
  // flight.
  [[nodiscard]] std::span<T> arrived() const {
    return {reinterpret_cast<T*>(core_.data()), core_.readable()};
  }
  // The numbers, since the last reset, of elements that have a place, and of elements that have
  // been written (section 2.1 of the paper). Pushes go on between two calls, and so a result of
  // `reserved` must not be compared with a later result of `completed`: `counts` returns both. If
  // both numbers of `counts` are equal, no push was in flight, and all elements before them can be
  // read.
  [[nodiscard]] append_counts counts() const { return core_.counts(); }
  [[nodiscard]] std::size_t reserved() const { return core_.reserved(); }
  [[nodiscard]] std::size_t completed() const { return core_.completed(); }
  // The numbers, since the last reset, of pushes that have found room (with `aggregate`, of each
  // element), and of elements that have not.
  [[nodiscard]] std::size_t messages() const { return core_.messages(); }
  [[nodiscard]] std::size_t refused() const { return core_.refused(); }
  [[nodiscard]] std::size_t capacity() const { return core_.capacity_here(); }
  // Returns the capacity of any PE. (A PE of another node is asked.)
  [[nodiscard]] std::size_t capacity(int pe) const { return core_.capacity(pe); }

  // Return when `elements` elements, or the elements of `count` pushes, can be read. Meanwhile the
  // PE serves other PEs. Throw argument_error for more elements than the buffer has; contract_error
  // if the pushes are aggregated and the elements have not arrived: `finish` delivers them.
  void wait(std::size_t elements) { core_.wait(elements); }
  void wait_messages(std::size_t count) { core_.wait_messages(count); }

  // Empties the PE's buffer: later pushes go to the beginning of the buffer. Throws contract_error
  // if a push is in flight.
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
    if (aggregated_ == nullptr || !aggregated_->is_on() || core_.has_left_world()) return;
    aggregated_->complete(core_);
  }

  detail::append_core core_;
  std::unique_ptr<detail::aggregated_pushes<T>> aggregated_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace boxcar
