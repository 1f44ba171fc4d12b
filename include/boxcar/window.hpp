// A window is memory of all PEs that any PE may read and write by itself. docs/one-sided.md
// explains windows with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include <boxcar/counter.hpp>
#include <boxcar/detail/atomics.hpp>
#include <boxcar/detail/plain_value.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/window_core.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

template <typename T>
class window;

namespace detail {
// Gives other parts of the library access to the core of a window.
struct window_access {
  template <typename T>
  static const window_core& core(const window<T>& w) {
    return w.core_;
  }
};
}  // namespace detail

// The strides, in elements, of a strided access: in the local span, and in the part of the other
// PE.
struct strides {
  std::size_t here = 1;
  std::size_t there = 1;
};

// The handle of a window on one PE. A window is an array of elements of type T on each PE, of any
// length on each; all PEs of the world reach an element by the PE and the index there.
//
// On a PE of the node, an operation is a load, a store or an atomic operation on memory of the PE.
// On a PE of another node, an operation is a request, and the target PE executes the request in a
// function of Boxcar that waits; requests from a PE to the same target are executed in the order of
// their calls.
//
// - `put` returns when the given values may be overwritten. The values have arrived after a
//   `flush`; a counted put notifies its target when its own data have arrived.
// - Puts and atomic operations from a PE to the same target are seen there in the order of their
//   calls if a `fence` stands between.
// - An element of 1, 2, 4 or 8 bytes, of any alignment, is written and read as a whole by every
//   operation, so that `load`, `get` and atomic operations never see a torn element. (But for puts
//   that libfabric makes by itself, of 8 KiB or more: its providers in software may write pieces of
//   any length.) Elements of other sizes, 3 or 16 bytes for instance, may be seen torn, unless the
//   program has ordered both accesses, by a counter for instance. Any other read during a write is
//   a data race.
//
// Operations throw argument_error, and write nothing, if the PE does not exist or its part is too
// short; world_error if the world has failed. Operations on PEs of other nodes belong to the PE's
// thread.
//
// Movable; a moved-from window may only be destroyed or assigned to. Destruction is local: other
// PEs may still reach the PE's part for as long as they have their windows.
template <typename T>
class window {
  static_assert((detail::require_plain<T>(), true));
  static_assert(alignof(T) <= 64, "elements lie on boundaries of at most 64 bytes");

 public:
  using value_type = T;

  // Collective. The PE contributes `elements` elements, zeroed; the number may be 0. Throws
  // argument_error on all PEs unless all PEs give the same type, system_error if there is not
  // enough memory.
  explicit window(const world& w, std::size_t elements)
      : core_(w, what, {nullptr, elements, false}) {}
  // Collective. The elements are the program's own, and outlive the windows of all PEs. Memory of
  // the program is possible where no PE shares its node with other PEs, where all PEs are threads,
  // and with symmetric memory of OpenSHMEM, the same object on all PEs, without writes meanwhile;
  // otherwise all PEs throw argument_error.
  explicit window(const world& w, std::span<T> mine)
      : core_(w, what, {mine.data(), mine.size(), true}) {}

  // --- Local ------------------------------------------------------------------------------------
  [[nodiscard]] std::span<T> local() const { return as_span(core_.mine()); }
  // Returns the elements of a PE that shares memory with the calling PE; empty for other PEs.
  [[nodiscard]] std::span<T> direct(int pe) const { return as_span(core_.part_of(pe, "direct")); }
  // Returns how many elements a PE contributes. (If the numbers of PEs on other nodes differ, the
  // first call asks the PE.)
  [[nodiscard]] std::size_t size(int pe) const { return core_.size(pe); }

  // --- Reading and writing -----------------------------------------------------------------------
  [[gnu::always_inline]] void put(const T& value, int pe, std::size_t index) {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      detail::write_whole(*element, value);
    } else {
      core_.put({pe, index, 1}, &value, 1, nullptr);
    }
  }
  // Puts elements from `index` on.
  void put(std::span<const T> values, int pe, std::size_t index) {
    core_.put({pe, index, values.size()}, values.data(), 1, nullptr);
  }
  void put(std::span<const T> values, int pe, std::size_t index, strides by) {
    core_.put({pe, index, taken(values.size(), by.here), by.there}, values.data(), by.here,
              nullptr);
  }
  // Counting puts (counting-puts-2014): the counter of the target counts when the values are there,
  // also if there are none.
  void put(const T& value, int pe, std::size_t index, const counter& c) {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      core_.require_same_world(c);
      detail::write_whole(*element, value);
      core_.count(c, pe, sizeof(T));
    } else {
      core_.put({pe, index, 1}, &value, 1, &c);
    }
  }
  void put(std::span<const T> values, int pe, std::size_t index, const counter& c) {
    core_.put({pe, index, values.size()}, values.data(), 1, &c);
  }

  [[nodiscard, gnu::always_inline]] T get(int pe, std::size_t index) {
    if (const T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::read_whole(*element);
    }
    alignas(T) std::array<std::byte, sizeof(T)> value;
    core_.get({pe, index, 1}, value.data(), 1, true);
    return detail::plain_value<T>(value.data());
  }
  void get(std::span<T> into, int pe, std::size_t index) {
    core_.get({pe, index, into.size()}, into.data(), 1, true);
  }
  void get(std::span<T> into, int pe, std::size_t index, strides by) {
    core_.get({pe, index, taken(into.size(), by.here), by.there}, into.data(), by.here, true);
  }
  // Non-blocking: `into` has the values after a flush, and is not touched before. If an exception
  // destroys the window before a flush, the values are discarded.
  void get_nbi(std::span<T> into, int pe, std::size_t index) {
    core_.get({pe, index, into.size()}, into.data(), 1, false);
  }

  // --- Atomic operations -------------------------------------------------------------------------
  // Atomic operations are on elements of 1, 2, 4 or 8 bytes; `add` and `fetch_or` on integers. Each
  // operation returns the former element, except `add` and `store`, which do not wait.
  [[gnu::always_inline]] void add(T value, int pe, std::size_t index)
    requires detail::atomic_number<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      detail::atomic_add(*element, value);
    } else {
      core_.update(pe, index, {detail::atomic_operation::add, &value, nullptr, nullptr});
    }
  }
  [[gnu::always_inline]] T fetch_add(T value, int pe, std::size_t index)
    requires detail::atomic_number<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::atomic_add(*element, value);
    }
    return updated(pe, index, detail::atomic_operation::add, value, value);
  }
  [[gnu::always_inline]] T fetch_or(T value, int pe, std::size_t index)
    requires detail::atomic_number<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::atomic_or(*element, value);
    }
    return updated(pe, index, detail::atomic_operation::fetch_or, value, value);
  }
  [[gnu::always_inline]] T swap(T value, int pe, std::size_t index)
    requires detail::atomic_element<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::atomic_swap(*element, value);
    }
    return updated(pe, index, detail::atomic_operation::swap, value, value);
  }
  // `value` replaces the element if the element has the bits of `expected`, those of gaps between
  // members among them: -0.0 is not 0.0.
  [[gnu::always_inline]] T compare_swap(T expected, T value, int pe, std::size_t index)
    requires detail::atomic_element<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::atomic_compare_swap(*element, expected, value);
    }
    return updated(pe, index, detail::atomic_operation::compare_swap, value, expected);
  }
  [[nodiscard, gnu::always_inline]] T load(int pe, std::size_t index)
    requires detail::atomic_element<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      return detail::atomic_load(*element);
    }
    return updated(pe, index, detail::atomic_operation::load, T{}, T{});
  }
  [[gnu::always_inline]] void store(T value, int pe, std::size_t index)
    requires detail::atomic_element<T>
  {
    if (T* const element = core_.here<T>(pe, index)) [[likely]] {
      detail::atomic_store(*element, value);
    } else {
      core_.update(pe, index, {detail::atomic_operation::store, &value, nullptr, nullptr});
    }
  }

  // --- Waiting; local ----------------------------------------------------------------------------
  // Returns when `is_there(value)` holds for an element of the PE's own part; other PEs change the
  // element by atomic operations or small puts. Serves other PEs meanwhile. (To wait for puts a
  // counter is the better way: nobody wakes the PE for an element.)
  template <typename Predicate>
  void wait_until(std::size_t index, const Predicate& is_there)
    requires detail::atomic_element<T>
  {
    const T& element = core_.own<T>(index);
    core_.wait([&] { return is_there(detail::atomic_load(element)); });
  }

  // --- Order and completion; local ---------------------------------------------------------------
  // Each target sees earlier puts of the PE before later puts.
  void fence() { core_.fence(); }
  // Returns when puts of the PE are there, and values of its gets are here: of one target PE, or of
  // all PEs.
  void flush(int pe) { core_.flush(pe); }
  void flush() { core_.flush_all(); }

 private:
  static constexpr detail::window_element what{sizeof(T), alignof(T), detail::identity_of<T>};

  static std::span<T> as_span(const detail::window_part& part) {
    return {reinterpret_cast<T*>(part.data), part.elements};
  }
  // Returns how many of `elements` elements a stride takes.
  static std::size_t taken(std::size_t elements, std::size_t stride) {
    return stride == 0 || elements == 0 ? elements : (elements - 1) / stride + 1;
  }
  T updated(int pe, std::size_t index, detail::atomic_operation how, const T& value,
            const T& expected) {
    alignas(T) std::array<std::byte, sizeof(T)> before;
    core_.update(pe, index, {how, &value, &expected, before.data()});
    return detail::plain_value<T>(before.data());
  }

  friend detail::window_access;

  detail::window_core core_;
};

}  // namespace boxcar
