// A conveyor is the parallel object through which PEs send great numbers of small items to one
// another (conveyors-2019, section 3). docs/conveyors.md explains conveyors with examples; for the
// common cases `exchange` is less to write.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <string>
#include <utility>

#include <boxcar/codec.hpp>
#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/detail/item_handler.hpp>
#include <boxcar/detail/plain_value.hpp>
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

// The end of a conveyor for items of type T on one PE. Thread safety: a conveyor belongs to one
// thread. Movable, also during a session (the session moves with the conveyor); a moved-from
// conveyor may only be destroyed or assigned to. Destroying a conveyor, or assigning to a conveyor,
// in the middle of a session is an error, and the world fails.
//
// A PE that uses a conveyor keeps calling `pull` and `advance`, in the end with `true`, until
// `advance` returns done. Then every item arrives exactly once, items from one PE to another arrive
// in the order of their pushes, and a failed push succeeds if the PE keeps repeating the push.
//
// An operation that is illegal in the conveyor's state (see each operation) throws contract_error
// and changes nothing. Every operation throws world_error if another PE has failed.
template <typename T>
class conveyor {
  static_assert(detail::requires_item<T>);

 public:
  using value_type = T;

  // Collective. The new conveyor is dormant. Throws argument_error on all PEs if the options cannot
  // work or differ between PEs, system_error if there is not enough memory.
  explicit conveyor(const world& w, const conveyor_options& options = {})
      : conveyor(w, options, 1) {}

  // Collective. Legal while dormant. Starts a session and returns the scope of the session; the
  // conveyor is then working.
  session begin() {
    core_.begin(sizeof(T));
    return session(core_);
  }

  // Local, never blocks. Legal while working. Sends `item` to `pe`, or returns false if there is no
  // room: then pull, advance and try again. Throws argument_error if the PE does not exist.
  [[nodiscard("false: there was no room"), gnu::always_inline]] bool push(const T& item, int pe) {
    return core_.push_item(item, pe);
  }

  // Local, never blocks. Legal unless dormant. Takes the next item that has arrived, and the PE
  // that pushed the item; returns false if no item has arrived.
  [[nodiscard("false: nothing had arrived")]] bool pull(T& item) {
    return core_.pull_into(&item, sizeof(T));
  }
  [[nodiscard("false: nothing had arrived")]] bool pull(T& item, int& from) {
    if (!pull(item)) return false;
    from = core_.from();
    return true;
  }

  // Local, never blocks. Legal unless dormant. Pulls all items that have arrived, and calls
  // `take(item)` or `take(item, from)` for each item. A call is faster than single pulls, because
  // the conveyor records nothing per item. `take` may push to the same conveyor, and call nothing
  // else of the conveyor. If `take` throws, the item of the call has been pulled, and the items
  // behind that item have not.
  template <typename Take>
  void pull_all(Take&& take) {
    constexpr bool can_take = detail::item_handler<Take, T>;
    static_assert(can_take, "`take` must be callable as take(item) or take(item, from)");
    if constexpr (can_take) {
      core_.pull_all(sizeof(T), [&take](const std::byte* arrived, int from) {
        detail::use_plain_value<T>(
            arrived, [&take, from](const T& item) { detail::call_handler(take, item, from); });
      });
    }
  }

  // Returns the PE that pushed the item that was pulled last.
  [[nodiscard]] int last_source() const { return core_.from(); }

  // As `pull`, without a copy: returns a pointer to the item, valid until the next pull, unpull or
  // reset, or nullptr if no item has arrived.
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

  // Local, never blocks. Legal unless dormant. Puts the item that was pulled last back, and the
  // next pull takes the item again. Returns false, with no effect, if the last pull failed or has
  // been undone, or the conveyor is complete.
  [[nodiscard("false: nothing was put back")]] bool unpull() { return core_.unpull(); }

  // Local, never blocks for longer than a few milliseconds. Makes progress: moves items on. `done`
  // is true exactly if the PE will push nothing more in the session. Returns
  //   ok    the session goes on;
  //   near  nothing more will arrive, but there are items left to pull;
  //   done  the session is complete on the PE. Only `done` converts to false.
  // After `false` the result may be ignored: the session goes on. After `true` the result decides
  // when to stop; leaving a session earlier is an error. Legal with `true` unless dormant; with
  // `false` while working or complete.
  advance_result advance(bool done) { return core_.advance(done); }

  // Collective. Legal while complete; does nothing while dormant. The conveyor is then dormant. The
  // end of the session's scope has the same effect.
  void reset() { core_.reset(); }

  // Collective. Legal while dormant. From the next session on, the codec compresses buffers to
  // other nodes; with nullptr, buffers are not compressed. The codec replaces any former codec,
  // also the codec of the option `compress`. Throws argument_error on all PEs unless all PEs give a
  // codec of the same name, or all PEs give nullptr.
  void set_codec(std::shared_ptr<codec> c) { core_.set_codec(std::move(c)); }

  [[nodiscard]] conveyor_state state() const { return core_.state(); }

  // Return the PE's counts: of the current or last session, and of all sessions.
  [[nodiscard]] statistics session_statistics() const { return core_.session_statistics(); }
  [[nodiscard]] statistics total_statistics() const { return core_.total_statistics(); }
  // Returns the bytes of a buffer, as given or chosen.
  [[nodiscard]] std::size_t buffer_bytes() const { return core_.buffer_bytes(); }
  // Returns a few lines of text: the kind of the conveyor, how its items travel, and the reasons.
  [[nodiscard]] std::string explain() const { return core_.explain(); }

 private:
  friend detail::conveyor_access;
  conveyor(const world& w, const conveyor_options& options, std::size_t conveyors)
      : core_(w, sizeof(T), options, conveyors, detail::identity_of<T>) {}

  detail::conveyor_core core_;
};

namespace detail {

// Gives code that is built on conveyors access to the inside of a conveyor.
struct conveyor_access {
  // Collective. Makes one of `conveyors` conveyors that work together on each PE and share its
  // cache.
  template <typename T>
  static conveyor<T> one_of(std::size_t conveyors, const world& w,
                            const conveyor_options& options) {
    return conveyor<T>(w, options, conveyors);
  }
  // As `begin`, for a conveyor that is neither moved nor destroyed during the session.
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
