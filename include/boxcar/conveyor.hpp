// The conveyor: the parallel object through which PEs send one another great numbers of small
// items (conveyors-2019, section 3). docs/conveyors.md explains it with examples; for the common
// cases `exchange` is less to write.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include <boxcar/codec.hpp>
#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/item_handler.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/type_identity.hpp>
#include <boxcar/error.hpp>
#include <boxcar/item.hpp>
#include <boxcar/session.hpp>
#include <boxcar/statistics.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {
struct conveyor_access;
}

// One PE's end of a conveyor for items of type T. It belongs to one thread. It can be moved, also
// in a session, which it takes along; what it was moved from is good for nothing. To destroy it, or
// to assign over it, in the middle of a session is an error by which the world fails.
//
// A PE that uses a conveyor promises to keep calling `pull` and `advance`, in the end with `true`,
// until `advance` returns done. Then every item arrives exactly once, items from one PE to another
// in the order in which they were pushed, and a push that failed will succeed if it is repeated.
//
// An operation that is illegal in the conveyor's state (see each) throws contract_error and changes
// nothing. Any operation throws world_error if another PE has failed.
template <typename T>
class conveyor {
  static_assert(detail::requires_item<T>);

 public:
  using value_type = T;

  // Collective; the conveyor is then dormant. Throws argument_error on all PEs if the options
  // cannot work or are not the same everywhere, system_error if there is not enough memory.
  explicit conveyor(const world& w, const conveyor_options& options = {})
      : conveyor(w, options, 1) {}

  // Collective. Legal while dormant. From here on the conveyor is working.
  session begin() {
    core_.begin(sizeof(T));
    return session(core_);
  }

  // Local, never blocks. Legal while working. Sends `item` to `pe`, or returns false if there is no
  // room: then pull, advance and try again. Throws argument_error if there is no such PE.
  [[nodiscard("false: there was no room"), gnu::always_inline]] bool push(const T& item, int pe) {
    return core_.push_item(item, pe);
  }

  // Local, never blocks. Legal unless dormant. Takes the next item that has arrived, and the PE
  // that pushed it, or returns false if there is none.
  [[nodiscard("false: nothing had arrived")]] bool pull(T& item) {
    return core_.pull_into(&item, sizeof(T));
  }
  [[nodiscard("false: nothing had arrived")]] bool pull(T& item, int& from) {
    if (!pull(item)) return false;
    from = core_.from();
    return true;
  }

  // Local, never blocks. Legal unless dormant. Pulls everything that has arrived, and calls
  // `take(item)` or `take(item, from)` for each: faster than one by one, because nothing is noted
  // down per item. `take` may push to this conveyor, and do nothing else with it. If it throws, the
  // item that it was called with has been pulled, and those behind it have not.
  template <typename Take>
  void pull_all(Take&& take) {
    constexpr bool can_take = detail::item_handler<Take, T>;
    static_assert(can_take, "`take` must be callable as take(item) or take(item, from)");
    if constexpr (can_take) {
      core_.pull_all(sizeof(T), [&take](const std::byte* arrived, int from) {
        T item;
        std::memcpy(&item, arrived, sizeof(T));
        detail::call_handler(take, std::as_const(item), from);
      });
    }
  }

  // The PE that pushed the item that was pulled last.
  [[nodiscard]] int last_source() const { return core_.from(); }

  // As `pull`, but the item is left where it is: the pointer is good until the next pull, unpull or
  // reset. Returns nullptr if there is none.
  [[nodiscard("this is the item")]] const T* pull_pointer() {
    static_assert(alignof(T) <= 64, "items lie on cache lines at most: pull a copy");
    const std::byte* arrived = core_.pull(sizeof(T));
    if constexpr (alignof(T) > 1) arrived = core_.aligned(arrived, alignof(T));
    return reinterpret_cast<const T*>(arrived);
  }
  [[nodiscard("this is the item")]] const T* pull_pointer(int& from) {
    const T* item = pull_pointer();
    if (item != nullptr) from = core_.from();
    return item;
  }

  // Local, never blocks. Legal unless dormant. Puts the item that was pulled last back, so that the
  // next pull takes it again. False, with no effect, if the last pull failed or has been undone, or
  // the conveyor is complete.
  [[nodiscard("false: nothing was put back")]] bool unpull() { return core_.unpull(); }

  // Local, never blocks for longer than a few milliseconds. Moves items on. `done` is true exactly
  // if this PE will push nothing more in this session. Returns
  //   ok    the session goes on;
  //   near  nothing more will arrive, but there are items left to pull;
  //   done  the session is complete here. Only this counts as false.
  // After `false` the result may be ignored: the session goes on. After `true` it tells when to
  // stop; a session that is left before is an error. Legal with `true` unless dormant; with `false`
  // while working or complete.
  advance_result advance(bool done) { return core_.advance(done); }

  // Collective. Legal while complete; does nothing while dormant. The conveyor is dormant again.
  // Leaving the session's scope does the same.
  void reset() { core_.reset(); }

  // Collective. Legal while dormant. From the next session on, buffers to other nodes are
  // compressed by this codec; nullptr: they are not. Whatever was in use before, also by the option
  // `compress`, is in use no more. Throws argument_error on all PEs unless all give a codec of the
  // same name, or nullptr.
  void set_codec(std::shared_ptr<codec> c) { core_.set_codec(std::move(c)); }

  [[nodiscard]] conveyor_state state() const { return core_.state(); }

  // Counts of this PE: of the current or last session, and of all.
  [[nodiscard]] statistics session_statistics() const { return core_.session_statistics(); }
  [[nodiscard]] statistics total_statistics() const { return core_.total_statistics(); }
  // Bytes of a buffer, as given or chosen.
  [[nodiscard]] std::size_t buffer_bytes() const { return core_.buffer_bytes(); }
  // Which kind it is, how its items travel, and why it was chosen; a few lines of text.
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  friend detail::conveyor_access;
  conveyor(const world& w, const conveyor_options& options, std::size_t conveyors)
      : core_(w, sizeof(T), options, conveyors, detail::identity_of<T>) {}

  detail::conveyor_core core_;
};

namespace detail {

// How forms that are built on a conveyor reach what is in it.
struct conveyor_access {
  // Collective. One of so many that work together on each PE, and share its cache.
  template <typename T>
  static conveyor<T> one_of(std::size_t conveyors, const world& w,
                            const conveyor_options& options) {
    return conveyor<T>(w, options, conveyors);
  }
  // As `begin`, of one that stays where it is.
  template <typename T>
  static session begin_in_place(conveyor<T>& c) {
    c.core_.begin(sizeof(T));
    return session(c.core_, stays_in_place{});
  }
  template <typename T>
  static conveyor_core& core(conveyor<T>& c) {
    return c.core_;
  }
};

}  // namespace detail

}  // namespace boxcar
